// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.peer.Renewed;
import io.tagbahn.server.replication.Hints;
import io.tagbahn.server.store.RegistrationStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
 *
 * <p>A node that joins doesn't know yet whom to tell: it takes no calls before it knows that all others see it.
 */
public final class Coordinator {

    private static final Duration AGAIN = Duration.ofSeconds(1);

    private static final Duration UNTIL_SEEN = Duration.ofMillis(250);

    /** How far ahead of this node's clock a generation is chosen; homes refuse what is further ahead. */
    private static final Duration GENERATION_RAISED_MAX = RegistrationStore.GENERATION_AHEAD_MAX.minusMinutes(1);

    private final LocalReplica local;
    private final ClusterState state;
    private final Peers peers;
    private final Telling telling;
    private final Registering registering;
    private final Copying copying;
    private final Duration peerTimeout;
    private final LongSupplier ticker;
    private final InstantSource clock;

    Coordinator(
            LocalReplica local,
            ClusterState state,
            Peers peers,
            Hints hints,
            Copying copying,
            Duration peerTimeout,
            LongSupplier ticker,
            InstantSource clock) {
        this.local = local;
        this.state = state;
        this.peers = peers;
        this.telling = new Telling(state::view, peers, hints, peerTimeout, ticker);
        this.registering = new Registering(peers, telling, this::decide);
        this.copying = copying;
        this.peerTimeout = peerTimeout;
        this.ticker = ticker;
        this.clock = clock;
    }

    /** Registers an instance, or changes its tags. */
    public CompletionStage<Written> register(RegisterCommand command, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.register(command, deadlineNanos)
                    .thenApply(granted -> new Written(granted.generation(), granted.lease(), 1, 1));
        }
        if (view.isJoining(view.self())) {
            return CompletableFuture.failedFuture(joining());
        }
        if (command.generation().isPresent()) {
            return registering.register(view, command, deadlineNanos, Registering.Raise.NEVER);
        }
        long nowMillis = clock.millis();
        return registering.register(
                view,
                command.withGeneration(OptionalLong.of(nowMillis)),
                deadlineNanos,
                Registering.Raise.upTo(nowMillis + GENERATION_RAISED_MAX.toMillis()));
    }

    /** Takes an instance out; done also where there is none. */
    public CompletionStage<Void> deregister(LeaseRef lease, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.deregister(lease, deadlineNanos).thenAccept(done -> {});
        }
        if (view.isJoining(view.self())) {
            return CompletableFuture.failedFuture(joining());
        }
        return deregister(view, lease, deadlineNanos).exceptionallyCompose(error -> {
            // Whatever is there: the home that was asked had missed the present one.
            boolean present = lease.generation() == 0 && Settled.cause(error) instanceof StaleGeneration;
            return present
                    ? deregister(
                            view,
                            new LeaseRef(lease.instanceId(), ((StaleGeneration) Settled.cause(error)).current()),
                            deadlineNanos)
                    : CompletableFuture.failedFuture(error);
        });
    }

    private CompletionStage<Void> deregister(ClusterView view, LeaseRef lease, long deadlineNanos) {
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
        Map<String, Change> told = removals(view, removal, verdict.decided().removed());
        Map<String, Change> others = new LinkedHashMap<>(told);
        others.remove(verdict.by().id());
        return telling.send(view, others, deadlineNanos).thenCompose(answers -> {
            Set<String> removed = new LinkedHashSet<>(verdict.decided().removed());
            answers.values()
                    .forEach(answer -> removed.addAll(answer.outcomes().get(0).removed()));
            boolean more = removed.size() > verdict.decided().removed().size();
            return telling.follow(view, more, seen -> removals(seen, removal, removed), told, deadlineNanos)
                    .thenCompose(done -> counted(view, removal, answers));
        });
    }

    private static Map<String, Change> removals(ClusterView view, Change.Removal removal, Collection<String> entries) {
        Map<String, Change> removals = new LinkedHashMap<>();
        view.homes(removal.id()).forEach(node -> removals.put(node, removal));
        for (String entry : entries) {
            view.writeOwners(entry).forEach(node -> removals.put(node, removal));
        }
        return removals;
    }

    /** Fails where the removal must be asked for again. */
    private static CompletionStage<Void> counted(
            ClusterView view, Change.Removal removal, Map<String, Applied> answers) {
        Collection<String> homes = view.homes(removal.id());
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
    }

    /** Keeps an operator's word on an instance. */
    public CompletionStage<Void> setStatus(InstanceId id, InstanceStatus status, String reason, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.setStatus(id, status, reason, deadlineNanos);
        }
        if (view.isJoining(view.self())) {
            return CompletableFuture.failedFuture(joining());
        }
        return decide(view, new Decision.StatusChange(id, status, reason), deadlineNanos)
                .thenCompose(verdict -> verdict.decided().record().isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : telling.tell(view, verdict, deadlineNanos).thenAccept(told -> {}));
    }

    private static NotReady joining() {
        return new NotReady("this node is joining its cluster: ask another one, or again", Optional.of(UNTIL_SEEN));
    }

    // ------------------------------------------------------------ first phase

    private CompletionStage<Decider.Verdict> decide(ClusterView view, Decision decision, long deadlineNanos) {
        return Decider.decide(homes(view, decision), decision, deadlineNanos, peerTimeout, ticker);
    }

    /**
     * Those that hold what they should first, then those that answer; this node before others. Additions and removals of
     * tags build on what is there: one home, the first, has to see them all.
     */
    private List<Replica> homes(ClusterView view, Decision decision) {
        List<Replica> homes = new ArrayList<>();
        for (String home : view.homes(decision.id())) {
            peers.get(home, view).ifPresent(homes::add);
        }
        boolean amends = decision instanceof Decision.Registration registration
                && registration.command().mode() != RegisterMode.REPLACE;
        homes.sort(Comparator.comparing((Replica home) -> view.isJoining(home.id()))
                .thenComparing(Replica::isStalled)
                .thenComparing(home -> amends || !home.id().equals(view.self())));
        return homes;
    }

    // ------------------------------------------------------------ heartbeats

    /** Renews leases at their homes. */
    public CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, long deadlineNanos) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return local.heartbeat(leases, deadlineNanos);
        }
        if (view.isJoining(view.self())) {
            return CompletableFuture.failedFuture(joining());
        }
        Map<String, List<LeaseRef>> byHome = new LinkedHashMap<>();
        for (LeaseRef lease : leases) {
            for (String home : view.homes(lease.instanceId())) {
                byHome.computeIfAbsent(home, node -> new ArrayList<>()).add(lease);
            }
        }
        HeartbeatVotes votes = new HeartbeatVotes(leases);
        List<CompletionStage<?>> waited = new ArrayList<>();
        long untilNanos = telling.untilNanos(deadlineNanos);
        byHome.forEach((home, renewed) -> peers.get(home, view)
                .filter(replica -> !replica.isStalled())
                .ifPresent(replica -> waited.add(replica.renew(renewed, untilNanos)
                        .thenAccept((Renewed answer) -> votes.count(home, renewed, answer)))));
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
                copying.fetch(
                        from.get(),
                        repair.to(),
                        repair.ids(),
                        untilNanos,
                        copies -> to.get().apply(copies.changes(), untilNanos));
            }
        }
    }
}
