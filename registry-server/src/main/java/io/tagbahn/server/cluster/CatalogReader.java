// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.NotReady;
import io.tagbahn.peer.EntryList;
import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.peer.NodeView;
import io.tagbahn.server.changes.Changes;
import io.tagbahn.server.store.Utf8;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * The comings and goings of entries in the cluster, read from the logs of nodes that own them all between them.
 *
 * <p>Of each entry the log of one node counts, its first owner among these, so that what one node does later than another
 * is not told in the wrong order. A position is good while nobody joins or leaves.
 */
public final class CatalogReader {

    private final ClusterState state;
    private final Peers peers;
    private final int charsMax;

    /** @param charsMax characters of entries after which no further node's changes are told at once */
    CatalogReader(ClusterState state, Peers peers, int charsMax) {
        this.state = state;
        this.peers = peers;
        this.charsMax = charsMax;
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

    /**
     * Some entries in the order of their UTF-8 bytes.
     *
     * @param last up to which all have been told; absent where there are no more
     */
    public record Page(List<String> entries, Optional<String> last) {}

    /** Where the logs stand; fails with {@link NotReady} where no whole set of nodes can be read. */
    public CompletionStage<Position> position(long deadlineNanos) {
        ClusterView view = state.view();
        ClusterView.Listed ring = view.listed().get(0);
        return new Covering<>(
                        view,
                        peers,
                        replica -> replica.meaning()
                                .changes(Changes.Log.ENTRIES, Optional.empty(), 0, Duration.ZERO, deadlineNanos),
                        LoggedChanges::node,
                        error -> false)
                .ask()
                .thenApply(answers -> {
                    Map<String, LogPosition> nodes = new TreeMap<>();
                    answers.byNode().forEach((node, changes) -> {
                        if (answers.whole().contains(node) && isWhole(changes.node(), ring)) {
                            nodes.put(node, changes.next());
                        }
                    });
                    if (answers.degraded() || !ring.isCoveredBy(nodes.keySet())) {
                        throw incomplete();
                    }
                    return new Position(view.layout(), nodes);
                });
    }

    private static boolean isWhole(NodeView node, ClusterView.Listed ring) {
        return !node.holding() && node.whole().contains(ring.hash());
    }

    /**
     * What there is behind an entry, read from the nodes of a position, of which the logs tell what happens later: were it
     * read from others, what these remove later than the logs say would stay for ever.
     *
     * @return absent where the position is not good any more; fails with {@link NotReady} where a node can't be read
     */
    public CompletionStage<Optional<Page>> page(
            Position position, Optional<String> after, int limit, long deadlineNanos) {
        ClusterView view = state.view();
        return asked(view, position, (node, replica) -> replica.entries("", after, limit, deadlineNanos))
                .thenApply(lists -> lists.map(each -> page(view, position, each, limit)));
    }

    private static Page page(ClusterView view, Position position, Map<String, EntryList> lists, int limit) {
        Optional<String> last = Optional.empty();
        for (EntryList list : lists.values()) {
            if (!isWhole(list.node(), view.listed().get(0))) {
                throw incomplete();
            }
            if (list.more()) {
                String end = list.entries().get(list.entries().size() - 1);
                if (last.isEmpty() || Utf8.ORDER.compare(end, last.get()) < 0) {
                    last = Optional.of(end); // behind it this node may have more that come before those of others
                }
            }
        }
        List<String> entries = new ArrayList<>();
        for (Map.Entry<String, EntryList> node : lists.entrySet()) {
            for (String entry : node.getValue().entries()) {
                boolean isBehind = last.isPresent() && Utf8.ORDER.compare(entry, last.get()) > 0;
                if (!isBehind && counts(view, node.getKey(), entry, position)) {
                    entries.add(entry);
                }
            }
        }
        entries.sort(Utf8.ORDER);
        return entries.size() <= limit
                ? new Page(entries, last)
                : new Page(List.copyOf(entries.subList(0, limit)), Optional.of(entries.get(limit - 1)));
    }

    /** Asks each node of a position; absent where it is not good any more. */
    private <A> CompletionStage<Optional<Map<String, A>>> asked(
            ClusterView view, Position position, BiFunction<String, Replica, CompletionStage<A>> question) {
        if (position.layout() != view.layout()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Map<String, CompletionStage<A>> asked = new LinkedHashMap<>();
        for (String node : position.nodes().keySet()) {
            Optional<Replica> replica = peers.get(node, view);
            if (replica.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            asked.put(node, question.apply(node, replica.get()));
        }
        return Settled.all(new ArrayList<>(asked.values())).thenApply(done -> {
            Map<String, A> answers = new LinkedHashMap<>();
            for (Map.Entry<String, CompletionStage<A>> node : asked.entrySet()) {
                CompletableFuture<A> answer = node.getValue().toCompletableFuture();
                if (answer.isCompletedExceptionally()) {
                    throw incomplete();
                }
                answers.put(node.getKey(), answer.join());
            }
            return Optional.of(answers);
        });
    }

    /**
     * What happened since a position, up to so many changes at each node.
     *
     * @return absent where the position is not good any more; fails with {@link NotReady} where a node can't be read
     */
    public CompletionStage<Optional<Part>> since(Position position, int limit, long deadlineNanos) {
        ClusterView view = state.view();
        return asked(
                        view,
                        position,
                        (node, replica) -> replica.meaning()
                                .changes(
                                        Changes.Log.ENTRIES,
                                        Optional.ofNullable(position.nodes().get(node)),
                                        limit,
                                        Duration.ZERO,
                                        deadlineNanos))
                .thenApply(answers -> answers.flatMap(each -> merged(view, position, each, limit)));
    }

    private Optional<Part> merged(ClusterView view, Position position, Map<String, LoggedChanges> answers, int limit) {
        Map<String, Boolean> present = new LinkedHashMap<>();
        Map<String, LogPosition> next = new TreeMap<>();
        long chars = 0;
        boolean more = false;
        for (Map.Entry<String, LoggedChanges> node : answers.entrySet()) {
            LoggedChanges changes = node.getValue();
            LogPosition before = position.nodes().get(node.getKey());
            if (chars >= charsMax && before != null) {
                next.put(node.getKey(), before); // this node's are for the next call
                more = true;
                continue;
            }
            if (changes.reset()) {
                return Optional.empty();
            }
            for (LoggedChange change : changes.changes()) {
                if (counts(view, node.getKey(), change.entry(), position)) {
                    present.put(change.entry(), change.kind() == LoggedChange.Kind.ADDED);
                    chars += change.entry().length();
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
