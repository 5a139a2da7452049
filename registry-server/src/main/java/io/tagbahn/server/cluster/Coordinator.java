// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.Renewed;
import io.tagbahn.server.replication.Hints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * The carrying out of changes across the cluster, by the node that took the call.
 *
 * <p>Two phases: one home decides, this node where it is one; then every other home and every owner of an entry that the
 * instance has or had is told, in one message each. An answer is given when all that can be reached have it. What
 * could not be told is sent again later, and found by comparison at the latest.
 */
public final class Coordinator {

    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final LocalReplica local;
    private final ClusterState state;
    private final Peers peers;
    private final Hints hints;
    private final Duration peerTimeout;
    private final LongSupplier ticker;

    Coordinator(
            LocalReplica local,
            ClusterState state,
            Peers peers,
            Hints hints,
            Duration peerTimeout,
            LongSupplier ticker) {
        this.local = local;
        this.state = state;
        this.peers = peers;
        this.hints = hints;
        this.peerTimeout = peerTimeout;
        this.ticker = ticker;
    }

    /** Registers an instance, or changes its tags. */
    public CompletionStage<Written> register(RegisterRequest request, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.register(request, deadlineNanos)
                    .thenApply(granted -> new Written(granted.generation(), granted.lease(), 1, 1));
        }
        return register(view, request, deadlineNanos, request.generation().isEmpty());
    }

    private CompletionStage<Written> register(
            ClusterView view, RegisterRequest request, long deadlineNanos, boolean mayRaise) {
        return decide(view, new Decision.Registration(request), deadlineNanos)
                .thenCompose(verdict -> tell(view, verdict, deadlineNanos).thenCompose(told -> {
                    Decided decided = verdict.decided();
                    if (told.newest() <= decided.generation()) {
                        Duration lease =
                                Duration.ofMillis(decided.record().orElseThrow().leaseMillis());
                        return CompletableFuture.completedFuture(new Written(
                                decided.generation(),
                                lease,
                                Math.min(told.homes(), view.homesWanted()),
                                view.homesWanted()));
                    }
                    if (mayRaise) {
                        // The home that chose the generation had missed a newer one, or its clock is behind.
                        return register(view, above(request, told.newest()), deadlineNanos, false);
                    }
                    return CompletableFuture.failedFuture(new StaleGeneration(
                            "instance " + request.instance().id() + " is known up to generation " + told.newest()
                                    + "; this is " + decided.generation(),
                            told.newest()));
                }));
    }

    private static RegisterRequest above(RegisterRequest request, long generation) {
        return new RegisterRequest(
                request.instance(), request.tags(), request.lease(), request.mode(), OptionalLong.of(generation + 1));
    }

    /** Takes an instance out; done also where there is none. */
    public CompletionStage<Void> deregister(LeaseRef lease, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.deregister(lease, deadlineNanos).thenAccept(done -> {});
        }
        return decide(view, new Decision.Deregistration(lease), deadlineNanos).thenCompose(verdict -> {
            long generation = verdict.decided().generation();
            if (generation == 0) {
                return CompletableFuture.completedFuture(null);
            }
            return tellRemoval(view, verdict, new Change.Removal(lease.instanceId(), generation, false), deadlineNanos);
        });
    }

    private CompletionStage<Void> tellRemoval(
            ClusterView view, Decider.Verdict verdict, Change.Removal removal, long deadlineNanos) {
        Set<String> nodes = new LinkedHashSet<>(view.homes(removal.id()));
        verdict.decided().removed().forEach(entry -> nodes.addAll(view.writeOwners(entry)));
        nodes.remove(verdict.by().id());
        Map<String, Change> changes = new LinkedHashMap<>();
        nodes.forEach(node -> changes.put(node, removal));
        Set<String> homes = view.homes(removal.id());
        return send(view, changes, deadlineNanos).thenCompose(answers -> {
            int told = 1;
            for (Map.Entry<String, Applied> answer : answers.entrySet()) {
                Outcome outcome = answer.getValue().outcomes().get(0);
                if (outcome.kind() == Outcome.Kind.STALE) {
                    return CompletableFuture.failedFuture(new StaleGeneration(
                            "instance " + removal.id() + " is registered with generation " + outcome.generation()
                                    + "; this is " + removal.generation(),
                            outcome.generation()));
                }
                told += homes.contains(answer.getKey()) ? 1 : 0;
            }
            // Homes that come back without having heard of it would bring the instance back.
            return told > view.homesWanted() / 2
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(new NotReady(
                            "only " + told + " of " + view.homesWanted()
                                    + " homes have heard of the deregistration: call again",
                            Optional.of(AGAIN)));
        });
    }

    /** Keeps an operator's word on an instance. */
    public CompletionStage<Void> setStatus(InstanceId id, InstanceStatus status, String reason, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.setStatus(id, status, reason, deadlineNanos);
        }
        return decide(view, new Decision.StatusChange(id, status, reason), deadlineNanos)
                .thenCompose(verdict -> verdict.decided().record().isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : tell(view, verdict, deadlineNanos).thenAccept(told -> {}));
    }

    // ------------------------------------------------------------ first phase

    private CompletionStage<Decider.Verdict> decide(ClusterView view, Decision decision, long deadlineNanos) {
        return Decider.decide(homes(view, decision.id()), decision, deadlineNanos, peerTimeout, ticker);
    }

    /** This node first, then those that answer, the first home before others. */
    private List<Replica> homes(ClusterView view, InstanceId id) {
        List<Replica> homes = new ArrayList<>();
        for (String home : view.homes(id)) {
            peers.get(home, view).ifPresent(homes::add);
        }
        homes.sort(Comparator.comparing((Replica home) -> !home.id().equals(view.self()))
                .thenComparing(Replica::isStalled));
        return homes;
    }

    // ------------------------------------------------------------ second phase

    /**
     * What became of telling the others.
     *
     * @param homes that have the record
     * @param newest generation that any of them knows
     */
    private record Told(int homes, long newest) {}

    private CompletionStage<Told> tell(ClusterView view, Decider.Verdict verdict, long deadlineNanos) {
        Change.RecordCopy record = verdict.decided().record().orElseThrow();
        Map<String, List<String>> owned = new LinkedHashMap<>();
        for (String entry : record.entries()) {
            for (String owner : view.writeOwners(entry)) {
                owned.computeIfAbsent(owner, node -> new ArrayList<>()).add(entry);
            }
        }
        for (String entry : verdict.decided().removed()) {
            for (String owner : view.writeOwners(entry)) {
                owned.computeIfAbsent(owner, node -> new ArrayList<>());
            }
        }
        Set<String> homes = view.homes(record.id());
        Map<String, Change> changes = new LinkedHashMap<>();
        for (String home : homes) {
            changes.put(home, record);
        }
        owned.forEach((owner, entries) -> changes.putIfAbsent(owner, posted(record, entries)));
        String by = verdict.by().id();
        changes.remove(by);
        if (verdict.decided().node().ring() != view.hash() && owned.containsKey(by)) {
            changes.put(by, posted(record, owned.getOrDefault(by, List.of())));
        }
        return send(view, changes, deadlineNanos).thenCompose(answers -> {
            Told told = count(by, homes, record.generation(), answers);
            Map<String, Change> more = new LinkedHashMap<>();
            answers.forEach((node, answer) -> {
                List<String> entries = owned.getOrDefault(node, List.of());
                if (homes.contains(node)
                        && !node.equals(by)
                        && answer.node().ring() != view.hash()
                        && !entries.isEmpty()) {
                    more.put(node, posted(record, entries)); // it sees another ring, and posted by that
                }
            });
            return more.isEmpty()
                    ? CompletableFuture.completedFuture(told)
                    : send(view, more, deadlineNanos).thenApply(done -> told);
        });
    }

    private static Change.PostedCopy posted(Change.RecordCopy record, List<String> entries) {
        return new Change.PostedCopy(record.instance(), entries, record.generation(), record.word());
    }

    private static Told count(String by, Set<String> homes, long generation, Map<String, Applied> answers) {
        int copies = 1;
        long newest = generation;
        for (Map.Entry<String, Applied> answer : answers.entrySet()) {
            if (!homes.contains(answer.getKey()) || answer.getKey().equals(by)) {
                continue;
            }
            Outcome outcome = answer.getValue().outcomes().get(0);
            switch (outcome.kind()) {
                case TAKEN -> copies++;
                case STALE, GONE -> newest = Math.max(newest, outcome.generation());
                case REFUSED -> {}
            }
        }
        return new Told(copies, newest);
    }

    /** Sends each node its change; answers those that came, once all nodes that don't stall have answered or failed. */
    private CompletionStage<Map<String, Applied>> send(
            ClusterView view, Map<String, Change> changes, long deadlineNanos) {
        Map<String, Applied> answers = new HashMap<>();
        List<CompletionStage<?>> waited = new ArrayList<>();
        long nowNanos = ticker.getAsLong();
        long untilNanos = nowNanos + Math.min(deadlineNanos - nowNanos, peerTimeout.toNanos());
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

    // ------------------------------------------------------------ heartbeats

    /** Renews leases at their homes. */
    public CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.heartbeat(leases, deadlineNanos);
        }
        Map<String, List<LeaseRef>> byHome = new LinkedHashMap<>();
        for (LeaseRef lease : leases) {
            for (String home : view.homes(lease.instanceId())) {
                byHome.computeIfAbsent(home, node -> new ArrayList<>()).add(lease);
            }
        }
        HeartbeatVotes votes = new HeartbeatVotes(leases);
        List<CompletionStage<?>> waited = new ArrayList<>();
        long nowNanos = ticker.getAsLong();
        long untilNanos = nowNanos + Math.min(deadlineNanos - nowNanos, peerTimeout.toNanos());
        byHome.forEach((home, renewed) -> peers.get(home, view)
                .filter(replica -> !replica.isStalled())
                .ifPresent(replica -> waited.add(replica.renew(renewed, untilNanos)
                        .thenAccept((Renewed answer) -> votes.count(home, renewed, answer.result())))));
        return Settled.all(waited).thenCompose(done -> {
            if (!leases.isEmpty() && votes.isEmpty()) {
                return CompletableFuture.failedFuture(
                        new NotReady("no home of the leases could be reached", Optional.of(AGAIN)));
            }
            repair(view, votes.repairs());
            return CompletableFuture.completedFuture(votes.result());
        });
    }

    /** Copies records from homes that have them to homes that don't; nobody waits for it. */
    private void repair(ClusterView view, List<HeartbeatVotes.Repair> repairs) {
        long untilNanos = ticker.getAsLong() + peerTimeout.toNanos();
        for (HeartbeatVotes.Repair repair : repairs) {
            Optional<Replica> from = peers.get(repair.from(), view);
            Optional<Replica> to = peers.get(repair.to(), view);
            if (from.isPresent() && to.isPresent()) {
                from.get()
                        .copiesOf(repair.to(), repair.ids(), untilNanos)
                        .thenCompose(copies -> to.get().apply(copies.changes(), untilNanos));
            }
        }
    }
}
