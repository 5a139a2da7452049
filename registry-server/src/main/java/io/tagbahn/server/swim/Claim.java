// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** Something said about a member; of two claims about one member the newer supersedes the older. */
sealed interface Claim extends Message {

    /** Id of the member that it is about. */
    String subject();

    /** The subject's incarnation that it is about. */
    long incarnation();

    /** The subject is alive; only the subject says this first, and only the subject raises its incarnation. */
    record Alive(NodeRecord node, long incarnation) implements Claim {
        @Override
        public String subject() {
            return node.id();
        }
    }

    /** The accuser could not reach the subject. */
    record Suspect(String subject, long incarnation, String accuser, Evidence evidence) implements Claim {}

    /** The accuser waited long enough for the subject to refute. */
    record Dead(String subject, long incarnation, String accuser) implements Claim {}

    /** The subject leaves in order; only the subject says this first. */
    record Left(String subject, long incarnation) implements Claim {}
}
