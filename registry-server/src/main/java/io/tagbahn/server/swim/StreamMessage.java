// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.util.List;
import java.util.OptionalLong;

/**
 * A message on a stream: a request, its reply, and after a {@link Whole} a push of what the replier lacks; or a question
 * and its answer.
 */
sealed interface StreamMessage {

    /** Name of the sender's cluster. */
    String cluster();

    /**
     * Begins an exchange.
     *
     * @param joining whether the sender belongs to no cluster yet
     * @param digest of the sender's live members: where it is the receiver's, there is nothing to exchange
     */
    record Request(String cluster, Claim.Alive self, boolean joining, long digest) implements StreamMessage {}

    /** Both sides know the same live members. */
    record Same(String cluster, Claim.Alive self) implements StreamMessage {}

    /** The replier's list of members. */
    record Whole(String cluster, Claim.Alive self, boolean joining, List<StateEntry> entries) implements StreamMessage {
        public Whole {
            entries = List.copyOf(entries);
        }
    }

    /** What the replier's list lacked. */
    record Push(String cluster, Claim.Alive self, List<StateEntry> entries) implements StreamMessage {
        public Push {
            entries = List.copyOf(entries);
        }
    }

    /** The requester's id is held by a live member elsewhere. */
    record Taken(String cluster, Claim.Alive holder, boolean joining) implements StreamMessage {}

    /** Asks over a stream whether the target is alive. */
    record StreamPing(String cluster, String sender, String target) implements StreamMessage {}

    /** The target is alive. */
    record StreamAck(String cluster, String target) implements StreamMessage {}

    /** Asks whether the receiver has held the sender dead. */
    record DeathQuestion(String cluster, String sender) implements StreamMessage {}

    /**
     * Says so.
     *
     * @param incarnation the highest at which the replier has held the asker dead; empty where it never has
     */
    record DeathAnswer(String cluster, OptionalLong incarnation) implements StreamMessage {}
}
