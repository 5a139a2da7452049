// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Copies;
import io.tagbahn.server.replication.Batches;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The sending and fetching of copies of many instances, in messages of bounded size, one after the other. */
final class Copying {

    /** Changes in one message. */
    static final int CHANGES_MAX = 500;

    /** Instances that are asked for in one message. */
    private static final int IDS_MAX = 1_000;

    private final int bytesMax;

    /** @param bytesMax of what one message holds; one copy alone may take more */
    Copying(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    int bytesMax() {
        return bytesMax;
    }

    /**
     * Fetches what some node should hold of instances, as far as it is held at another.
     *
     * @param taking what is done with each answer before more is asked for
     */
    CompletionStage<Void> fetch(
            Replica from,
            String node,
            List<InstanceId> ids,
            long deadlineNanos,
            Function<Copies, CompletionStage<?>> taking) {
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<InstanceId> batch = Batches.first(ids, IDS_MAX, bytesMax, Batches::bytesOf);
        return from.copiesOf(node, batch, deadlineNanos).thenCompose(copies -> {
            int answered = answered(from, batch, copies);
            return taking.apply(copies)
                    .thenCompose(taken -> fetch(from, node, ids.subList(answered, ids.size()), deadlineNanos, taking));
        });
    }

    /** Of how many of the instances the answer tells: of one at least. */
    private static int answered(Replica from, List<InstanceId> asked, Copies copies) {
        if (copies.next().isEmpty()) {
            return asked.size();
        }
        int last = copies.next().get().after().map(asked::indexOf).orElse(-1);
        if (last < 0) {
            throw new RegistryFault("node " + from.id() + " goes on behind an instance that it was not asked for");
        }
        return last + 1;
    }

    /**
     * Sends changes; answers how many.
     *
     * @param heeding what is done about the answer to each message before the next is sent
     */
    CompletionStage<Integer> send(
            Replica to,
            List<? extends Change> changes,
            long deadlineNanos,
            BiFunction<List<Change>, Applied, CompletionStage<?>> heeding) {
        if (changes.isEmpty()) {
            return CompletableFuture.completedFuture(0);
        }
        List<Change> batch = List.copyOf(Batches.first(changes, CHANGES_MAX, bytesMax, Batches::bytesOf));
        return to.apply(batch, deadlineNanos)
                .thenCompose(applied -> heeding.apply(batch, applied))
                .thenCompose(done -> send(to, changes.subList(batch.size(), changes.size()), deadlineNanos, heeding))
                .thenApply(count -> count + batch.size());
    }
}
