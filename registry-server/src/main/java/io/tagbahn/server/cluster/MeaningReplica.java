// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.peer.MatchQuestion;
import io.tagbahn.peer.Matched;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.peer.OntologyHeads;
import io.tagbahn.server.changes.Changes;
import io.tagbahn.server.store.Peer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A node as the place where tags are matched and ontologies are held; as a {@link Replica} in all else. */
public interface MeaningReplica {

    /** The tags that the node holds and that answer a question, best first. */
    CompletionStage<Matched<Peer>> match(MatchQuestion question, long deadlineNanos);

    /**
     * Changes at the node, from a position on; waits for some where there are none.
     *
     * @param since absent: only where the log stands
     * @param limit most changes
     */
    CompletionStage<LoggedChanges> changes(
            Changes.Log log, Optional<LogPosition> since, int limit, Duration wait, long deadlineNanos);

    /**
     * The documents that the node knows.
     *
     * @param digest of what the asker knows
     */
    CompletionStage<OntologyHeads> ontologies(String digest, long deadlineNanos);

    /** Bytes of a document from an offset on; fewer than {@link OntologySpread#PART_BYTES} at its end. */
    CompletionStage<byte[]> ontologyPart(OntologyHead head, int offset, long deadlineNanos);

    /**
     * Tells the node of a change, which it fetches from the caller.
     *
     * @return true where it has it in force, or something newer
     */
    CompletionStage<Boolean> ontologyChanged(String asker, OntologyHead head, long deadlineNanos);
}
