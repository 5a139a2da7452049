// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.NotReady;
import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.server.changes.Changes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The comings and goings of entries in the cluster, read from the logs of nodes that own them all between them.
 *
 * <p>Of each entry the log of one node counts, its first owner among these, so that what one node does later than another
 * is not told in the wrong order. A position is good while nobody joins or leaves.
 */
public final class CatalogReader {

    private final ClusterState state;
    private final Peers peers;

    CatalogReader(ClusterState state, Peers peers) {
        this.state = state;
        this.peers = peers;
    }

    /**
     * How far a reader has come.
     *
     * @param layout of the ring
     * @param nodes that are read, and how far
     */
    public record Position(long layout, Map<String, LogPosition> nodes) {}

    /**
     * What happened since a position.
     *
     * @param present by entry: whether it is there now
     * @param more whether more can be read at once
     */
    public record Part(Map<String, Boolean> present, Position next, boolean more) {}

    /** Where the logs stand; fails with {@link NotReady} where no whole set of nodes can be read. */
    public CompletionStage<Position> position(long deadlineNanos) {
        ClusterView view = state.view();
        return new Covering<>(
                        view,
                        peers,
                        replica -> replica.meaning()
                                .changes(Changes.Log.ENTRIES, Optional.empty(), 0, Duration.ZERO, deadlineNanos),
                        LoggedChanges::node,
                        error -> false)
                .ask()
                .thenApply(answers -> {
                    if (answers.degraded()) {
                        throw incomplete();
                    }
                    Map<String, LogPosition> nodes = new TreeMap<>();
                    answers.byNode().forEach((node, changes) -> {
                        if (answers.whole().contains(node)) {
                            nodes.put(node, changes.next());
                        }
                    });
                    return new Position(view.layout(), nodes);
                });
    }

    /**
     * What happened since a position, up to so many changes at each node.
     *
     * @return absent where the position is not good any more; fails with {@link NotReady} where a node can't be read
     */
    public CompletionStage<Optional<Part>> since(Position position, int limit, long deadlineNanos) {
        ClusterView view = state.view();
        if (position.layout() != view.layout()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Map<String, CompletionStage<LoggedChanges>> asked = new LinkedHashMap<>();
        for (Map.Entry<String, LogPosition> node : position.nodes().entrySet()) {
            Optional<Replica> replica = peers.get(node.getKey(), view);
            if (replica.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            asked.put(
                    node.getKey(),
                    replica.get()
                            .meaning()
                            .changes(
                                    Changes.Log.ENTRIES,
                                    Optional.of(node.getValue()),
                                    limit,
                                    Duration.ZERO,
                                    deadlineNanos));
        }
        return Settled.all(new ArrayList<>(asked.values())).thenApply(done -> merged(view, position, asked, limit));
    }

    private static Optional<Part> merged(
            ClusterView view, Position position, Map<String, CompletionStage<LoggedChanges>> asked, int limit) {
        Map<String, Boolean> present = new LinkedHashMap<>();
        Map<String, LogPosition> next = new TreeMap<>();
        boolean more = false;
        for (Map.Entry<String, CompletionStage<LoggedChanges>> node : asked.entrySet()) {
            CompletableFuture<LoggedChanges> answer = node.getValue().toCompletableFuture();
            if (answer.isCompletedExceptionally()) {
                throw incomplete();
            }
            LoggedChanges changes = answer.join();
            if (changes.reset()) {
                return Optional.empty();
            }
            for (LoggedChange change : changes.changes()) {
                if (counts(view, node.getKey(), change.entry(), position)) {
                    present.put(change.entry(), change.kind() == LoggedChange.Kind.ADDED);
                }
            }
            // Parts may be shorter than asked for: only an empty one is certainly the last.
            more |= !changes.changes().isEmpty() && changes.changes().size() * 2 >= limit;
            next.put(node.getKey(), changes.next());
        }
        return Optional.of(new Part(present, new Position(position.layout(), next), more));
    }

    private static boolean counts(ClusterView view, String node, String entry, Position position) {
        List<String> owners = view.owners(entry);
        for (String owner : owners) {
            if (position.nodes().containsKey(owner)) {
                return owner.equals(node);
            }
        }
        return false;
    }

    /** What callers are told where part of the entries is out of reach. */
    public static NotReady incomplete() {
        return new NotReady("not all nodes that hold entries can be reached", Optional.of(Duration.ofSeconds(1)));
    }
}
