// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import io.tagbahn.model.OutcomeUnknown;
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
import io.tagbahn.server.ring.RingMember;
import io.tagbahn.server.store.ExpiryGuardTerms;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.store.Now;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.RegistrationStore;
import io.tagbahn.server.store.StoreLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Whole nodes, without sockets and threads, in virtual time: everything but the membership and the wire is the real
 * thing. Calls between nodes are delayed, and get lost on their way there or back, by the numbers of a seed.
 */
final class SimulatedCluster {

    static final long MILLI = 1_000_000;
    private static final long TICK_NANOS = 100 * MILLI;

    final SplittableRandom random;
    final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
    /** Pairs of nodes that can't reach each other. */
    final Set<Set<String>> cut = new HashSet<>();

    double loss;
    long delayNanosMax = 5 * MILLI;

    private final int replicas;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<String, ClusterMember> roster = new LinkedHashMap<>();
    private final Map<String, Runnable> listeners = new HashMap<>();
    private long nowNanos = MILLI;
    private long sequence;

    private record Event(long atNanos, long sequence, Runnable task) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int order = Long.compare(atNanos, other.atNanos);
            return order != 0 ? order : Long.compare(sequence, other.sequence);
        }
    }

    SimulatedCluster(long seed, int replicas) {
        this.random = new SplittableRandom(seed);
        this.replicas = replicas;
    }

    /** A node, until it crashes. */
    final class SimulatedNode {
        final String id;
        final RegistrationStore store =
                new RegistrationStore(StoreLimits.defaults(), LeaseTerms.defaults(), ExpiryGuardTerms.off());
        final Cluster cluster;
        private final List<InlineWriter> writer = new ArrayList<>();
        private boolean crashed;

        SimulatedNode(String id) {
            this.id = id;
            LocalReplica replica = new LocalReplica(
                    store,
                    tick -> {
                        writer.add(new InlineWriter(tick, SimulatedCluster.this::now));
                        return writer.get(0);
                    },
                    now(),
                    List.of(),
                    words -> CompletableFuture.completedFuture(null));
            ClusterConfig config = new ClusterConfig(
                    "simulated",
                    replicas,
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10));
            this.cluster = new Cluster(
                    id,
                    config,
                    new Roster(id),
                    replica,
                    member -> new Link(this, member.id()),
                    (delay, task) -> {
                        boolean[] cancelled = new boolean[1];
                        at(delay.toNanos(), () -> {
                            if (!cancelled[0] && !crashed) {
                                task.run();
                            }
                        });
                        return () -> cancelled[0] = true;
                    },
                    () -> nowNanos,
                    random.split());
        }

        private void tick() {
            if (!crashed) {
                writer.get(0).tick();
                at(TICK_NANOS, this::tick);
            }
        }
    }

    SimulatedNode node(String id) {
        return Objects.requireNonNull(nodes.get(id), id);
    }

    Now now() {
        return new Now(nowNanos, 1_700_000_000_000L + nowNanos / MILLI);
    }

    long deadline() {
        return nowNanos + 2_000 * MILLI;
    }

    void at(long delayNanos, Runnable task) {
        events.add(new Event(nowNanos + delayNanos, sequence++, task));
    }

    void run(Duration time) {
        long endNanos = nowNanos + time.toNanos();
        while (!events.isEmpty() && events.peek().atNanos() <= endNanos) {
            Event event = events.remove();
            nowNanos = event.atNanos();
            event.task().run();
        }
        nowNanos = endNanos;
    }

    void start(String id) {
        HostPort address = HostPort.parse("127.0.0.1:" + (1_000 + Math.abs(id.hashCode() % 1_000)));
        roster.put(
                id,
                new ClusterMember(
                        id,
                        address,
                        address,
                        Locality.UNKNOWN,
                        RingMember.WEIGHT_USUAL,
                        Stage.JOINING,
                        MemberState.ALIVE,
                        1));
        SimulatedNode node = new SimulatedNode(id);
        nodes.put(id, node);
        node.cluster.start();
        node.tick();
        tellAll();
    }

    /** All that it held is gone; the others notice after a while. */
    void crash(String id, Duration noticedAfter) {
        SimulatedNode node = node(id);
        nodes.remove(id);
        node.crashed = true;
        node.cluster.close();
        at(noticedAfter.toNanos(), () -> {
            if (!nodes.containsKey(id)) {
                roster.remove(id);
                listeners.remove(id);
                tellAll();
            }
        });
    }

    private void tellAll() {
        // Each hears of it in its own time.
        listeners.values().forEach(listener -> at(random.nextLong(200 * MILLI), listener));
    }

    private final class Roster implements Membership {
        private final String self;

        Roster(String self) {
            this.self = self;
        }

        @Override
        public List<ClusterMember> members() {
            return List.copyOf(roster.values());
        }

        @Override
        public void onChange(Runnable listener) {
            listeners.put(self, listener);
        }

        @Override
        public void announce(Stage stage) {
            roster.computeIfPresent(self, (node, member) -> member.withStage(stage));
            tellAll();
        }

        @Override
        public void close() {
            roster.remove(self);
        }
    }

    /** The way from one node to another. */
    private final class Link implements RemoteReplica {
        private final SimulatedNode from;
        private final String to;
        private boolean stalled;

        Link(SimulatedNode from, String to) {
            this.from = from;
            this.to = to;
        }

        private <T> CompletionStage<T> call(long deadlineNanos, Function<Replica, CompletionStage<T>> question) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            at(Math.max(0, deadlineNanos - nowNanos), () -> {
                if (!answer.isDone() && !from.crashed) {
                    stalled = true;
                    answer.completeExceptionally(new OutcomeUnknown("no answer from " + to));
                }
            });
            send(() -> {
                SimulatedNode node = nodes.get(to);
                if (node != null && !cut.contains(Set.of(from.id, to))) {
                    question.apply(node.cluster.self())
                            .whenComplete((value, error) -> send(() -> {
                                if (answer.isDone() || from.crashed) {
                                    return;
                                }
                                stalled = false;
                                if (error == null) {
                                    answer.complete(value);
                                } else {
                                    answer.completeExceptionally(error);
                                }
                            }));
                }
            });
            return answer;
        }

        private void send(Runnable message) {
            if (random.nextDouble() >= loss) {
                at(random.nextLong(delayNanosMax), message);
            }
        }

        @Override
        public String id() {
            return to;
        }

        @Override
        public boolean isStalled() {
            return stalled;
        }

        @Override
        public CompletionStage<NodeView> hello(long deadlineNanos) {
            return call(deadlineNanos, node -> node.hello(deadlineNanos));
        }

        @Override
        public CompletionStage<Decided> decide(Decision decision, long deadlineNanos) {
            return call(deadlineNanos, node -> node.decide(decision, deadlineNanos));
        }

        @Override
        public CompletionStage<Applied> apply(List<Change> changes, long deadlineNanos) {
            return call(deadlineNanos, node -> node.apply(changes, deadlineNanos));
        }

        @Override
        public CompletionStage<Renewed> renew(List<LeaseRef> leases, long deadlineNanos) {
            return call(deadlineNanos, node -> node.renew(leases, deadlineNanos));
        }

        @Override
        public CompletionStage<LeasesLeft> leases(List<LeaseRef> leases, long deadlineNanos) {
            return call(deadlineNanos, node -> node.leases(leases, deadlineNanos));
        }

        @Override
        public CompletionStage<Looked<Peer>> lookup(List<String> entries, long deadlineNanos) {
            return call(deadlineNanos, node -> node.lookup(entries, deadlineNanos));
        }

        @Override
        public CompletionStage<EntryList> entries(
                String prefix, Optional<String> after, int limit, long deadlineNanos) {
            return call(deadlineNanos, node -> node.entries(prefix, after, limit, deadlineNanos));
        }

        @Override
        public CompletionStage<Copies> copies(String asker, Place place, long deadlineNanos) {
            return call(deadlineNanos, node -> node.copies(asker, place, deadlineNanos));
        }

        @Override
        public CompletionStage<Copies> copiesOf(String asker, List<InstanceId> ids, long deadlineNanos) {
            return call(deadlineNanos, node -> node.copiesOf(asker, ids, deadlineNanos));
        }

        @Override
        public CompletionStage<Compared> compare(String asker, int rank, long[] buckets, long deadlineNanos) {
            return call(deadlineNanos, node -> node.compare(asker, rank, buckets, deadlineNanos));
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
