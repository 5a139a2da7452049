// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import org.jspecify.annotations.Nullable;

/** What this node knows of another member; owned by {@link MemberTable}. */
final class MemberEntry {

    NodeRecord node;
    long incarnation;
    MemberState state;
    long sinceNanos;

    /** Present while the state is SUSPECT. */
    @Nullable
    Suspicion suspicion;

    /** The highest incarnation at which this node has held it dead; -1 where it never has. */
    long heldDeadUpTo = -1;

    /** Whether it left the list of members and is only remembered. */
    boolean forgotten;

    /** Place in the table's list of live members; -1 where it isn't there. */
    int liveIndex = -1;

    MemberEntry(NodeRecord node, long incarnation, MemberState state, long sinceNanos) {
        this.node = node;
        this.incarnation = incarnation;
        this.state = state;
        this.sinceNanos = sinceNanos;
    }

    String id() {
        return node.id();
    }

    HostPort address() {
        return node.gossip();
    }

    boolean live() {
        return state == MemberState.ALIVE || state == MemberState.SUSPECT;
    }

    MemberView view() {
        return new MemberView(node, incarnation, state);
    }

    StateEntry stateEntry() {
        return new StateEntry(node, incarnation, state);
    }

    /** The newest claim about it, as this node would make it. */
    Claim claim(String accuser) {
        return switch (state) {
            case ALIVE, JOINING -> new Claim.Alive(node, incarnation);
            case SUSPECT ->
                new Claim.Suspect(
                        id(), incarnation, accuser, suspicion == null ? Evidence.SILENT : suspicion.evidence());
            case DEAD -> new Claim.Dead(id(), incarnation, accuser);
            case LEFT -> new Claim.Left(id(), incarnation);
        };
    }
}
