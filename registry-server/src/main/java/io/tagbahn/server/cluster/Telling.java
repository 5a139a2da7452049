// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Outcome;
import io.tagbahn.server.replication.Hints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The telling of other nodes what has become of an instance, one message to each, all at the same time.
 *
 * <p>What could not be told is kept as a hint. Nodes that became owners while others were being told are told as well,
 * before anybody hears that it is done.
 */
final class Telling {

    /** How many changes of the view are followed; after more of them comparison finds what lacks. */
    private static final int VIEWS_MAX = 4;

    private final Supplier<ClusterView> present;
    private final Peers peers;
    private final Hints hints;
    private final Duration peerTimeout;
    private final LongSupplier ticker;

    Telling(Supplier<ClusterView> present, Peers peers, Hints hints, Duration peerTimeout, LongSupplier ticker) {
        this.present = present;
        this.peers = peers;
        this.hints = hints;
        this.peerTimeout = peerTimeout;
        this.ticker = ticker;
    }

    /**
     * What became of telling the others.
     *
     * @param homes that have the record
     * @param better a node that knows something newer
     * @param newest generation that any of them knows
     */
    record Told(int homes, Optional<String> better, long newest) {}

    /** What each node is to be told of a record. */
    static Map<String, Change> shares(ClusterView view, Change.RecordCopy record, List<String> removed) {
        Map<String, List<String>> owned = new LinkedHashMap<>();
        for (String entry : record.entries()) {
            for (String owner : view.writeOwners(entry)) {
                owned.computeIfAbsent(owner, node -> new ArrayList<>()).add(entry);
            }
        }
        for (String entry : removed) {
            for (String owner : view.writeOwners(entry)) {
                owned.computeIfAbsent(owner, node -> new ArrayList<>());
            }
        }
        Map<String, Change> shares = new LinkedHashMap<>();
        for (String home : view.homes(record.id())) {
            shares.put(home, record);
        }
        owned.forEach((owner, entries) -> shares.putIfAbsent(owner, posted(record, entries)));
        return shares;
    }

    CompletionStage<Told> tell(ClusterView view, Decider.Verdict verdict, long deadlineNanos) {
        Change.RecordCopy record = verdict.decided().record().orElseThrow();
        Collection<String> homes = view.homes(record.id());
        String by = verdict.by().id();
        Map<String, Change> changes = shares(view, record, verdict.decided().removed());
        changes.remove(by);
        boolean otherRing = verdict.decided().node().ring() != view.hash();
        if (otherRing) {
            changes.putAll(postings(view, record, Set.of(by)));
        }
        Map<String, Change> known = new LinkedHashMap<>(changes);
        known.putIfAbsent(by, record);
        return send(view, changes, deadlineNanos).thenCompose(answers -> {
            Set<String> others = new LinkedHashSet<>();
            // The home that decided may not have known all that was there.
            Set<String> removed = new LinkedHashSet<>(verdict.decided().removed());
            answers.forEach((node, answer) -> {
                if (homes.contains(node) && !node.equals(by) && answer.node().ring() != view.hash()) {
                    others.add(node); // it sees another ring, and posted by that
                }
                removed.addAll(answer.outcomes().get(0).removed());
            });
            Function<ClusterView, Map<String, Change>> sharesBy = seen -> shares(seen, record, List.copyOf(removed));
            boolean more = removed.size() > verdict.decided().removed().size();
            return sendIfAny(view, postings(view, record, others), deadlineNanos)
                    .thenCompose(done -> follow(view, more, sharesBy, known, deadlineNanos))
                    .thenApply(done -> count(homes, by, record.generation(), answers));
        });
    }

    private CompletionStage<Map<String, Applied>> sendIfAny(
            ClusterView view, Map<String, Change> changes, long deadlineNanos) {
        return changes.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : send(view, changes, deadlineNanos);
    }

    /**
     * Tells those that are to be told by what this node sees now, and were not by what it saw.
     *
     * @param more whether there are such by what it saw as well
     */
    CompletionStage<Void> follow(
            ClusterView seen,
            boolean more,
            Function<ClusterView, Map<String, Change>> changesBy,
            Map<String, Change> told,
            long deadlineNanos) {
        return more
                ? catchUp(seen, changesBy, told, deadlineNanos, VIEWS_MAX)
                : next(seen, changesBy, told, deadlineNanos, VIEWS_MAX);
    }

    private CompletionStage<Void> next(
            ClusterView seen,
            Function<ClusterView, Map<String, Change>> changesBy,
            Map<String, Change> told,
            long deadlineNanos,
            int left) {
        ClusterView now = present.get();
        return now == seen || left == 0
                ? CompletableFuture.completedFuture(null)
                : catchUp(now, changesBy, told, deadlineNanos, left - 1);
    }

    private CompletionStage<Void> catchUp(
            ClusterView seen,
            Function<ClusterView, Map<String, Change>> changesBy,
            Map<String, Change> told,
            long deadlineNanos,
            int left) {
        Map<String, Change> untold = new LinkedHashMap<>(changesBy.apply(seen));
        untold.entrySet().removeIf(change -> change.getValue().equals(told.get(change.getKey())));
        Map<String, Change> all = new LinkedHashMap<>(told);
        all.putAll(untold);
        return sendIfAny(seen, untold, deadlineNanos)
                .thenCompose(done -> next(seen, changesBy, all, deadlineNanos, left));
    }

    /** What homes among the nodes have to post besides keeping the record. */
    private static Map<String, Change> postings(ClusterView view, Change.RecordCopy record, Set<String> nodes) {
        Map<String, Change> postings = new LinkedHashMap<>();
        for (String node : nodes) {
            List<String> owned = new ArrayList<>();
            for (String entry : record.entries()) {
                if (view.writeOwners(entry).contains(node)) {
                    owned.add(entry);
                }
            }
            if (!owned.isEmpty()) {
                postings.put(node, posted(record, owned));
            }
        }
        return postings;
    }

    private static Change.PostedCopy posted(Change.RecordCopy record, List<String> entries) {
        return new Change.PostedCopy(record.instance(), entries, record.generation(), record.word(), record.origin());
    }

    private static Told count(Collection<String> homes, String by, long generation, Map<String, Applied> answers) {
        int copies = 1;
        long newest = generation;
        Optional<String> better = Optional.empty();
        for (Map.Entry<String, Applied> answer : answers.entrySet()) {
            Outcome outcome = answer.getValue().outcomes().get(0);
            switch (outcome.kind()) {
                case TAKEN ->
                    copies +=
                            homes.contains(answer.getKey()) && !answer.getKey().equals(by) ? 1 : 0;
                case STALE, GONE -> {
                    if (better.isEmpty() || outcome.generation() > newest) {
                        better = Optional.of(answer.getKey());
                    }
                    newest = Math.max(newest, outcome.generation());
                }
                case REFUSED -> {}
            }
        }
        return new Told(copies, better, newest);
    }

    /** By when another node has to have answered. */
    long untilNanos(long deadlineNanos) {
        long nowNanos = ticker.getAsLong();
        return nowNanos + Math.min(deadlineNanos - nowNanos, peerTimeout.toNanos());
    }

    /** Sends each node its change; answers those that came, once all nodes that don't stall have answered or failed. */
    CompletionStage<Map<String, Applied>> send(ClusterView view, Map<String, Change> changes, long deadlineNanos) {
        Map<String, Applied> answers = new HashMap<>();
        List<CompletionStage<?>> waited = new ArrayList<>();
        long nowNanos = ticker.getAsLong();
        long untilNanos = untilNanos(deadlineNanos);
        changes.forEach((node, change) -> {
            Optional<Replica> replica = peers.get(node, view);
            if (replica.isEmpty() || replica.get().isStalled()) {
                hints.add(node, change, nowNanos);
                return;
            }
            waited.add(replica.get().apply(List.of(change), untilNanos).whenComplete((applied, error) -> {
                if (error != null) {
                    hints.add(node, change, ticker.getAsLong());
                } else {
                    synchronized (answers) {
                        answers.put(node, applied);
                    }
                }
            }));
        });
        return Settled.all(waited).thenApply(done -> {
            synchronized (answers) {
                return new HashMap<>(answers);
            }
        });
    }
}
