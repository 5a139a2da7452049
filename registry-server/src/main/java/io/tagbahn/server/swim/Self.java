// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** This node's own record, its incarnation, and how far it takes part. */
final class Self {

    enum Phase {
        /** Looks for the others. */
        JOINING,
        MEMBER,
        /** Tells the others that it goes, and still answers. */
        LEAVING,
        /** Takes part no longer. */
        STOPPED
    }

    private NodeRecord node;
    private long incarnation;
    private Phase phase = Phase.JOINING;

    Self(NodeRecord node, long incarnation) {
        Checks.range("incarnation", incarnation, 0, CodecLimits.INCARNATION_MAX);
        this.node = node;
        this.incarnation = incarnation;
    }

    String id() {
        return node.id();
    }

    NodeRecord node() {
        return node;
    }

    long incarnation() {
        return incarnation;
    }

    Phase phase() {
        return phase;
    }

    void enter(Phase next) {
        phase = next;
    }

    boolean joining() {
        return phase == Phase.JOINING;
    }

    /** Whether it belongs to the cluster, or wants to. */
    boolean takesPart() {
        return phase == Phase.JOINING || phase == Phase.MEMBER;
    }

    void describe(NodeRecord other) {
        node = other;
    }

    /** Goes above an incarnation that others hold; false where there is no room above it. */
    boolean raiseAbove(long known) {
        if (known >= CodecLimits.INCARNATION_MAX) {
            return false;
        }
        incarnation = Math.max(incarnation, known) + 1;
        return true;
    }

    Claim.Alive claim() {
        return new Claim.Alive(node, incarnation);
    }
}
