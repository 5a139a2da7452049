// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Compared;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Holding;
import io.tagbahn.peer.Outcome;
import io.tagbahn.server.replication.Batches;
import io.tagbahn.server.replication.Repair;
import io.tagbahn.server.replication.Shares;
import io.tagbahn.server.store.Buckets;
import io.tagbahn.server.store.Held;
import io.tagbahn.server.store.Now;
import io.tagbahn.server.store.RegistrationStore;
import io.tagbahn.server.store.Tombstone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A round in which this node sees to it that all nodes hold what they should of the instances that it is a home of.
 *
 * <p>It compares hashes by bucket with each node, and asks for particulars of buckets that differ. What a node lacks it
 * is sent; what it knows better is fetched; what this node knows nothing of is asked of its other homes, and taken out
 * where none of them knows it. Records of which this node is no home any more go to their homes first, then from here.
 */
final class Repairer {

    private static final Duration ROUND_DEADLINE = Duration.ofSeconds(10);
    private static final int PER_NODE_MAX = 5_000;

    private static final Logger log = LoggerFactory.getLogger(Repairer.class);

    private final ClusterState state;
    private final LocalReplica replica;
    private final Peers peers;
    private final Copying copying;
    private final LongSupplier ticker;
    private final AtomicInteger rounds = new AtomicInteger();

    Repairer(ClusterState state, LocalReplica replica, Peers peers, Copying copying, LongSupplier ticker) {
        this.state = state;
        this.replica = replica;
        this.peers = peers;
        this.copying = copying;
        this.ticker = ticker;
    }

    /** What this node holds, and what follows from it for the others. */
    private static final class Survey {
        private final Map<String, long[]> digests = new HashMap<>();
        private final List<Held> misplaced = new ArrayList<>();
        /** Posted under entries that this node doesn't own: by messages that came after a change of the ring. */
        private final List<InstanceId> strays = new ArrayList<>();

        long[] digest(String node) {
            return digests.computeIfAbsent(node, unused -> new long[Buckets.COUNT]);
        }

        /** Held without a record, although this node is a home of theirs. */
        private final List<Holding> doubted = new ArrayList<>();
    }

    /**
     * Completes when the round is over, with how many instances were sent or taken out anywhere.
     *
     * <p>Each time the first homes compare, and then those of another rank: a first home may not reach a node that
     * others do.
     */
    CompletionStage<Integer> round() {
        int other = 1 + rounds.getAndIncrement() % (ClusterView.HOMES - 1);
        return round(0).thenCompose(first -> round(other).thenApply(second -> first + second));
    }

    private CompletionStage<Integer> round(int rank) {
        ClusterView view = state.view();
        if (view.isAlone() || !state.isFilled() || !view.isStable()) {
            return CompletableFuture.completedFuture(0);
        }
        long deadlineNanos = ticker.getAsLong() + ROUND_DEADLINE.toNanos();
        Shares shares = state.shares();
        Survey survey = new Survey();
        String self = view.self();
        return replica.walk(deadlineNanos, (store, bucket, now) -> {
                    for (Held held : store.held(bucket, Optional.empty(), now)) {
                        survey(survey, shares, view, rank, bucket, held);
                    }
                    for (Tombstone gone : tombstones(store, shares, self, rank, bucket, now)) {
                        for (String home : shares.expected(gone)) {
                            survey.digest(home)[bucket] += Shares.inBucket(Shares.holding(gone));
                        }
                    }
                })
                .thenCompose(done -> {
                    List<CompletionStage<Integer>> repairs = new ArrayList<>();
                    for (String node : view.reachable().keySet()) {
                        Optional<Replica> peer = peers.get(node, view);
                        if (!node.equals(self)
                                && peer.isPresent()
                                && !peer.get().isStalled()) {
                            long[] digest = survey.digests.getOrDefault(node, new long[Buckets.COUNT]);
                            repairs.add(compare(view, shares, rank, peer.get(), digest, deadlineNanos));
                        }
                    }
                    repairs.add(resolve(view, self, survey.doubted, deadlineNanos));
                    repairs.add(moveHome(view, survey.misplaced, deadlineNanos));
                    repairs.add(replica.write(deadlineNanos, (store, now) -> {
                        survey.strays.forEach(id -> store.releasePosted(id, now));
                        return survey.strays.size();
                    }));
                    return sum(repairs);
                });
    }

    private static void survey(Survey survey, Shares shares, ClusterView view, int rank, int bucket, Held held) {
        if (rank == 0 && !held.posted().stream().allMatch(view::ownsForWrites)) {
            survey.strays.add(held.id());
        }
        boolean first = shares.isHome(view.self(), rank, held.id());
        if (held.home() && first) {
            shares.expected(held).forEach((node, holding) -> survey.digest(node)[bucket] += Shares.inBucket(holding));
        } else if (first && !held.home() && survey.doubted.size() < PER_NODE_MAX) {
            survey.doubted.add(new Holding(held.id(), held.generation(), Holding.Kind.POSTINGS, 0));
        } else if (rank == 0
                && held.home()
                && !view.futureHomes(held.id()).contains(view.self())
                && survey.misplaced.size() < PER_NODE_MAX) {
            survey.misplaced.add(held);
        }
    }

    /** The deregistrations that this node compares, as the home of this rank. */
    private static List<Tombstone> tombstones(
            RegistrationStore store, Shares shares, String self, int rank, int bucket, Now now) {
        List<Tombstone> gone = store.gone(bucket, now);
        gone.removeIf(tombstone -> tombstone.ended() || !shares.isHome(self, rank, tombstone.id()));
        return gone;
    }

    private static CompletionStage<Integer> sum(List<CompletionStage<Integer>> parts) {
        int[] sum = new int[1];
        List<CompletionStage<?>> counted = new ArrayList<>();
        for (CompletionStage<Integer> part : parts) {
            counted.add(part.whenComplete((count, error) -> {
                if (error == null) {
                    synchronized (sum) {
                        sum[0] += count;
                    }
                } else {
                    log.debug("a repair ended early: {}", error.toString());
                }
            }));
        }
        return Settled.all(counted).thenApply(done -> {
            synchronized (sum) {
                return sum[0];
            }
        });
    }

    private CompletionStage<Integer> compare(
            ClusterView view, Shares shares, int rank, Replica peer, long[] digest, long deadlineNanos) {
        return peer.compare(view.self(), rank, digest, deadlineNanos).thenCompose(compared -> {
            if (compared.buckets().isEmpty() || compared.node().ring() != view.hash()) {
                return CompletableFuture.completedFuture(0);
            }
            return plan(shares, rank, peer, compared, deadlineNanos)
                    .thenCompose(repair -> carryOut(view, shares, peer, repair, deadlineNanos));
        });
    }

    private CompletionStage<Repair> plan(Shares shares, int rank, Replica peer, Compared compared, long deadlineNanos) {
        return replica.write(deadlineNanos, (store, now) -> {
            List<Holding> expected = new ArrayList<>();
            for (int bucket : compared.buckets()) {
                for (Held held : store.held(bucket, Optional.empty(), now)) {
                    if (held.home() && shares.isHome(state.view().self(), rank, held.id())) {
                        Optional.ofNullable(shares.expected(held).get(peer.id()))
                                .ifPresent(expected::add);
                    }
                }
                for (Tombstone gone : tombstones(store, shares, state.view().self(), rank, bucket, now)) {
                    if (shares.isHome(peer.id(), gone.id())) {
                        expected.add(Shares.holding(gone));
                    }
                }
            }
            return Repair.of(expected, compared.holdings(), PER_NODE_MAX);
        });
    }

    private CompletionStage<Integer> carryOut(
            ClusterView view, Shares shares, Replica peer, Repair repair, long deadlineNanos) {
        return fetch(view, peer, repair.fetch(), deadlineNanos)
                .thenCompose(fetched -> sendRecords(shares, peer, repair.send(), deadlineNanos))
                .thenCombine(resolve(view, peer.id(), repair.doubted(), deadlineNanos), Integer::sum);
    }

    /** Takes over what a node knows of instances. */
    private CompletionStage<Void> fetch(ClusterView view, Replica peer, List<InstanceId> ids, long deadlineNanos) {
        return copying.fetch(peer, view.self(), ids, deadlineNanos, copies -> takeOver(copies, deadlineNanos));
    }

    private CompletionStage<Void> takeOver(Copies copies, long deadlineNanos) {
        return replica.take(copies.changes(), deadlineNanos).thenAccept(taken -> {});
    }

    /** What a node lacks of instances, worked out as it is sent. */
    private CompletionStage<Integer> sendRecords(
            Shares shares, Replica peer, List<InstanceId> ids, long deadlineNanos) {
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(0);
        }
        return replica.write(deadlineNanos, (store, now) -> batch(shares, peer.id(), ids, store, now))
                .thenCompose(batch -> send(peer, batch.changes(), deadlineNanos)
                        .thenCompose(
                                count -> sendRecords(shares, peer, ids.subList(batch.of(), ids.size()), deadlineNanos)
                                        .thenApply(more -> count + more)));
    }

    /**
     * What is sent at a time.
     *
     * @param of how many instances
     */
    private record Batch(List<Change> changes, int of) {}

    private Batch batch(Shares shares, String node, List<InstanceId> ids, RegistrationStore store, Now now) {
        List<Change> changes = new ArrayList<>();
        long bytes = 0;
        int of = 0;
        while (of < ids.size() && changes.size() < Copying.CHANGES_MAX && bytes < copying.bytesMax()) {
            InstanceId id = ids.get(of++);
            Optional<Change> change = store.held(id, now)
                    .filter(Held::home)
                    .map(held -> shares.shareOf(node, held))
                    .or(() -> store.deregistered(id, now).map(Tombstone::removal));
            bytes += change.map(Batches::bytesOf).orElse(0L);
            change.ifPresent(changes::add);
        }
        return new Batch(changes, of);
    }

    private CompletionStage<Integer> send(Replica peer, List<Change> changes, long deadlineNanos) {
        return copying.send(peer, changes, deadlineNanos, (sent, applied) -> heed(sent, applied, deadlineNanos));
    }

    /** An instance that was deregistered elsewhere is gone here too. */
    private CompletionStage<Void> heed(List<Change> sent, Applied applied, long deadlineNanos) {
        List<Change> gone = new ArrayList<>();
        for (int i = 0; i < Math.min(sent.size(), applied.outcomes().size()); i++) {
            Outcome outcome = applied.outcomes().get(i);
            if (outcome.kind() == Outcome.Kind.GONE) {
                gone.add(new Change.Removal(sent.get(i).id(), outcome.generation(), false));
            }
        }
        if (gone.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return replica.write(deadlineNanos, (store, now) -> {
            gone.forEach(removal -> store.apply(removal, now));
            return null;
        });
    }

    // ------------------------------------------------------------ what the first home knows nothing of

    /** Asks the homes for instances of which a node holds something and this node no record. */
    private CompletionStage<Integer> resolve(
            ClusterView view, String holder, List<Holding> doubted, long deadlineNanos) {
        if (doubted.isEmpty()) {
            return CompletableFuture.completedFuture(0);
        }
        Map<String, List<InstanceId>> byHome = new LinkedHashMap<>();
        for (Holding holding : doubted) {
            Set<String> homes = new LinkedHashSet<>(view.futureHomes(holding.id()));
            homes.add(holder);
            homes.remove(view.self());
            homes.forEach(home ->
                    byHome.computeIfAbsent(home, node -> new ArrayList<>()).add(holding.id()));
        }
        Set<String> silent = new HashSet<>();
        List<CompletionStage<?>> asked = new ArrayList<>();
        byHome.forEach((home, ids) -> {
            CompletionStage<Void> fetched = peers.get(home, view)
                    .<CompletionStage<Void>>map(peer -> fetch(view, peer, ids, deadlineNanos))
                    .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException(home + " is gone")));
            asked.add(fetched.whenComplete((done, error) -> {
                if (error != null) {
                    synchronized (silent) {
                        silent.add(home);
                    }
                }
            }));
        });
        return Settled.all(asked).thenCompose(done -> {
            Set<String> unheard;
            synchronized (silent) {
                unheard = Set.copyOf(silent);
            }
            return drop(view, holder, doubted, unheard, deadlineNanos);
        });
    }

    private CompletionStage<Integer> drop(
            ClusterView view, String holder, List<Holding> doubted, Set<String> silent, long deadlineNanos) {
        Shares shares = state.shares();
        return replica.write(deadlineNanos, (store, now) -> {
                    List<Change> removals = new ArrayList<>();
                    for (Holding holding : doubted) {
                        Optional<Tombstone> deregistered = store.deregistered(holding.id(), now);
                        if (deregistered.isPresent() && deregistered.get().generation() >= holding.generation()) {
                            removals.add(deregistered.get().removal());
                            continue;
                        }
                        Optional<Held> record = store.held(holding.id(), now).filter(Held::home);
                        if (record.isPresent()) {
                            // A newer one, of which the holder should hold nothing any more.
                            removals.add(shares.shareOf(holder, record.get()));
                        } else if (isDenied(view.futureHomes(holding.id()), silent)) {
                            removals.add(new Change.Removal(holding.id(), holding.generation(), true));
                        }
                    }
                    return removals;
                })
                .thenCompose(removals -> peers.get(holder, view)
                        .map(peer -> send(peer, removals, deadlineNanos))
                        .orElseGet(() -> CompletableFuture.completedFuture(0)));
    }

    /** Whether a majority of the homes has answered, this node among them. */
    private static boolean isDenied(Collection<String> homes, Set<String> silent) {
        long answered = homes.stream().filter(home -> !silent.contains(home)).count();
        return answered > homes.size() / 2;
    }

    // ------------------------------------------------------------ records that belong elsewhere

    private static void count(List<Change> told, Applied applied, Map<InstanceId, Integer> taken) {
        synchronized (taken) {
            for (int i = 0; i < applied.outcomes().size(); i++) {
                if (applied.outcomes().get(i).kind() != Outcome.Kind.REFUSED) {
                    taken.merge(told.get(i).id(), 1, Integer::sum);
                }
            }
        }
    }

    private CompletionStage<Integer> moveHome(ClusterView view, List<Held> misplaced, long deadlineNanos) {
        Map<String, List<Change>> byHome = new LinkedHashMap<>();
        for (Held held : misplaced) {
            for (String home : view.futureHomes(held.id())) {
                byHome.computeIfAbsent(home, node -> new ArrayList<>()).add(Shares.record(held));
            }
        }
        Map<InstanceId, Integer> taken = new HashMap<>();
        List<CompletionStage<?>> sent = new ArrayList<>();
        byHome.forEach((home, changes) -> peers.get(home, view)
                .ifPresent(peer -> sent.add(copying.send(peer, changes, deadlineNanos, (told, applied) -> {
                    count(told, applied, taken);
                    return CompletableFuture.completedFuture(null);
                }))));
        return Settled.all(sent)
                .thenCompose(done -> replica.write(deadlineNanos, (store, now) -> {
                    int moved = 0;
                    synchronized (taken) {
                        for (Held held : misplaced) {
                            if (taken.getOrDefault(held.id(), 0)
                                    > view.futureHomes(held.id()).size() / 2) {
                                store.releaseHome(new LeaseRef(held.id(), held.generation()), now);
                                moved++;
                            }
                        }
                    }
                    return moved;
                }));
    }
}
