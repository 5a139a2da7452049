// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Compared;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.EntryList;
import io.tagbahn.peer.LeasesLeft;
import io.tagbahn.peer.Looked;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.Place;
import io.tagbahn.peer.Renewed;
import io.tagbahn.server.store.Peer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A node of the cluster, this one or another, as the place where data is.
 *
 * <p>It answers from what it holds and asks nobody. Stages fail with a
 * {@link io.tagbahn.model.RegistryException}, by the deadline at the latest: {@link io.tagbahn.model.Unreachable} where
 * the call was certainly not sent, {@link io.tagbahn.model.OutcomeUnknown} where it may have been. They complete on any
 * thread, which what follows must not block.
 */
public interface Replica {

    String id();

    /** Whether it has failed to answer lately, so that calls to it are better not waited for. */
    boolean isStalled();

    CompletionStage<NodeView> hello(long deadlineNanos);

    /** Decides as a home of the instance, and changes what is held here; the others have to be told by the caller. */
    CompletionStage<Decided> decide(Decision decision, long deadlineNanos);

    /** Takes in changes, each by itself. */
    CompletionStage<Applied> apply(List<Change> changes, long deadlineNanos);

    CompletionStage<Renewed> renew(List<LeaseRef> leases, long deadlineNanos);

    /** What is left of leases that are about to be ended elsewhere. */
    CompletionStage<LeasesLeft> leases(List<LeaseRef> leases, long deadlineNanos);

    /** Draws on the accounts of callers that the node keeps: what is wanted of each, or less. */
    CompletionStage<List<Long>> draw(List<String> callers, List<Long> wanted, long deadlineNanos);

    CompletionStage<Looked<Peer>> lookup(List<String> entries, long deadlineNanos);

    /** Entries in order, behind one of them, at most so many; those alone that the node holds for being their owner. */
    CompletionStage<EntryList> entries(String prefix, Optional<String> after, int limit, long deadlineNanos);

    /** What a node should hold, as far as it is held here, a page at a time. */
    CompletionStage<Copies> copies(String asker, Place place, long deadlineNanos);

    /** What some node should hold of these instances, as far as it is held here. */
    CompletionStage<Copies> copiesOf(String node, List<InstanceId> ids, long deadlineNanos);

    /** Where what is held here of instances differs from what should be: of those whose home of this rank asks. */
    CompletionStage<Compared> compare(String asker, int rank, long[] buckets, long deadlineNanos);

    /** The same node, as to what tags mean. */
    MeaningReplica meaning();
}
