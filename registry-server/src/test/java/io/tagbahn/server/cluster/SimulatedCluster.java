// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Compared;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.EntryList;
import io.tagbahn.peer.LeasesLeft;
import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.peer.Looked;
import io.tagbahn.peer.MatchQuestion;
import io.tagbahn.peer.Matched;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.peer.OntologyHeads;
import io.tagbahn.peer.Place;
import io.tagbahn.peer.Renewed;
import io.tagbahn.server.changes.Changes;
import io.tagbahn.server.changes.Keeping;
import io.tagbahn.server.gossip.Roster;
import io.tagbahn.server.ontology.OntologyFiles;
import io.tagbahn.server.ontology.OntologyTerms;
import io.tagbahn.server.ring.RingMember;
import io.tagbahn.server.sim.SimProcess;
import io.tagbahn.server.sim.SwimCluster;
import io.tagbahn.server.sim.VirtualTime;
import io.tagbahn.server.store.ExpiryGuardTerms;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.store.Now;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.RegistrationStore;
import io.tagbahn.server.store.StoreLimits;
import io.tagbahn.server.swim.Effect;
import io.tagbahn.server.swim.MemberView;
import io.tagbahn.wire.WirePeer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/**
 * Whole nodes, without sockets and threads, in virtual time: everything but the wire is the real thing. Calls between
 * nodes are delayed, get lost on their way there or back, and changes come a second time much later, by the numbers of
 * a seed.
 */
final class SimulatedCluster {

    static final long MILLI = 1_000_000;
    private static final long TICK_NANOS = 100 * MILLI;
    private static final Duration CALL_TIMEOUT = Duration.ofMillis(200);
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;

    final SplittableRandom random;
    final SwimCluster members;
    final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();

    /** Share of messages between nodes that get lost, of those that come again. */
    double loss;

    double echoes;
    Duration echoAfterMax = Duration.ofSeconds(20);
    long delayNanosMax = 5 * MILLI;
    /** By how much later some nodes are told of changes. */
    final Map<String, Duration> lateAt = new LinkedHashMap<>();

    /** Bytes of a message with copies; no longer one gets through. To be set before nodes start. */
    int frameBytesMax = Integer.MAX_VALUE;

    /** Of nodes that are started from now on. */
    StoreLimits limits = StoreLimits.defaults();

    /** How often a first page of copies was asked for: once of each source in a filling. */
    int firstPages;

    private final int replicas;
    private final LeaseTerms leases;
    private final VirtualTime time;

    SimulatedCluster(long seed, int replicas) {
        this(seed, replicas, LeaseTerms.defaults());
    }

    SimulatedCluster(long seed, int replicas, LeaseTerms leases) {
        this.random = new SplittableRandom(seed);
        this.members = new SwimCluster(seed);
        this.time = members.time();
        this.replicas = replicas;
        this.leases = leases;
        time.run(Duration.ofMillis(1));
    }

    /** A run of a node, until it crashes or has left. */
    final class SimulatedNode {
        final String id;
        final int number;
        final SimProcess process;
        final RegistrationStore store;
        final Cluster cluster;
        private final Roster roster;
        private final List<Runnable> listeners = new ArrayList<>();
        private final List<Runnable> doubters = new ArrayList<>();
        private final List<InlineWriter> writer = new ArrayList<>();
        private final Set<String> unseen = new HashSet<>();
        private boolean told;

        SimulatedNode(int number, SimProcess process) {
            this.id = process.id();
            this.number = number;
            this.process = process;
            this.store = new RegistrationStore(limits, leases, ExpiryGuardTerms.off());
            this.roster = new Roster(new ClusterMember(
                    id,
                    process.node().api(),
                    process.node().gossip(),
                    Locality.UNKNOWN,
                    RingMember.WEIGHT_USUAL,
                    Stage.JOINING,
                    MemberState.ALIVE,
                    1));
            roster.see(process.machine().members());
            LocalReplica replica = new LocalReplica(
                    store,
                    tick -> {
                        writer.add(new InlineWriter(tick, SimulatedCluster.this::now));
                        return writer.get(0);
                    },
                    now(),
                    List.of(),
                    words -> CompletableFuture.completedFuture(null));
            Meaning meaning = new Meaning(
                    OntologyTerms.defaults(),
                    OntologyFiles.inMemory(),
                    Runnable::run,
                    Runnable::run,
                    1_000_000,
                    new Meaning.LogTerms(1, Keeping.of(1_000, 1 << 20, 1 << 20), SimulatedCluster.this::nowNanos));
            meaning.start(replica);
            ClusterConfig config = new ClusterConfig(
                    "simulated",
                    replicas,
                    CALL_TIMEOUT,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    Math.min(1 << 20, frameBytesMax / 2));
            this.cluster = new Cluster(
                    id,
                    config,
                    new Members(),
                    replica,
                    meaning,
                    member -> new Link(this, member.id()),
                    (delay, task) -> {
                        boolean[] cancelled = new boolean[1];
                        later(delay, () -> {
                            if (!cancelled[0]) {
                                task.run();
                            }
                        });
                        return () -> cancelled[0] = true;
                    },
                    SimulatedCluster.this::nowNanos,
                    () -> Instant.ofEpochMilli(now().epochMillis()),
                    random.split());
        }

        private void start() {
            process.watch(effect -> {
                if (effect instanceof Effect.TakenForDead) {
                    later(Duration.ZERO, () -> List.copyOf(doubters).forEach(Runnable::run));
                } else if (!told) {
                    told = true; // once for all changes of one moment, as the driver does
                    later(Duration.ZERO, this::tell);
                }
            });
            cluster.start();
            tick();
        }

        InlineWriter writer() {
            return writer.get(0);
        }

        /** Takes another member for dead, or no longer. */
        void lookAway(String member, boolean away) {
            if (away ? unseen.add(member) : unseen.remove(member)) {
                tell();
            }
        }

        private void tell() {
            told = false;
            roster.see(process.machine().members().stream()
                    .map(member -> unseen.contains(member.id())
                            ? new MemberView(member.record(), member.incarnation(), MemberState.DEAD)
                            : member)
                    .toList());
            List.copyOf(listeners).forEach(Runnable::run);
        }

        private void tick() {
            writer().tick();
            later(Duration.ofNanos(TICK_NANOS), this::tick);
        }

        private void later(Duration delay, Runnable task) {
            time.after(delay, () -> process.run(task));
        }

        boolean isRunning() {
            return process.running();
        }

        private final class Members implements Membership {
            @Override
            public List<ClusterMember> members() {
                return roster.members();
            }

            @Override
            public void onChange(Runnable listener) {
                listeners.add(listener);
            }

            @Override
            public void onTakenForDead(Runnable listener) {
                doubters.add(listener);
            }

            @Override
            public void announce(Stage stage) {
                roster.announce(stage);
                process.announce(Roster.metadata(stage));
                later(Duration.ZERO, SimulatedNode.this::tell);
            }

            @Override
            public void close() {
                process.leave();
            }
        }
    }

    SimulatedNode node(String id) {
        return Objects.requireNonNull(nodes.get(id), id);
    }

    /** Nodes that take part: found their cluster, and are not gone. */
    List<SimulatedNode> running() {
        return nodes.values().stream().filter(SimulatedNode::isRunning).toList();
    }

    long nowNanos() {
        return time.nowNanos();
    }

    Now now() {
        return new Now(nowNanos(), EPOCH_MILLIS + nowNanos() / MILLI);
    }

    long deadline() {
        return nowNanos() + 2_000 * MILLI;
    }

    void at(Duration delay, Runnable task) {
        time.after(delay, task);
    }

    void run(Duration length) {
        time.run(length);
    }

    /** Lets time pass until the condition holds; false where it did not within the limit. */
    boolean runUntil(BooleanSupplier condition, Duration limit) {
        return time.runUntil(condition, limit);
    }

    /** Starts a node with nothing; it takes part once it has found the cluster. */
    void start(int number) {
        int[] seeds = running().stream().mapToInt(node -> node.number).limit(3).toArray();
        SimProcess process = members.start(number, seeds.length == 0 ? new int[] {0} : seeds);
        process.watch(effect -> {
            if (effect instanceof Effect.Joined) {
                SimulatedNode node = new SimulatedNode(number, process);
                nodes.put(node.id, node);
                node.start();
            }
        });
        if (process.notable().stream().anyMatch(Effect.Joined.class::isInstance)) {
            throw new IllegalStateException("joined before anybody looked");
        }
    }

    /** Starts nodes 0 to {@code count - 1} and waits until all are ready. */
    void startAll(int count) {
        for (int i = 0; i < count; i++) {
            start(i);
        }
        if (!runUntil(() -> running().size() == count && allReady(), Duration.ofSeconds(60))) {
            throw new AssertionError(members.seedText() + ": " + count + " nodes did not become ready");
        }
    }

    /** Whether each node that runs sees all that run, as ready. */
    boolean allReady() {
        List<SimulatedNode> running = running();
        for (SimulatedNode node : running) {
            if (node.cluster.view().readRing().size() != running.size()
                    || !node.cluster.view().isStable()
                    || !node.cluster
                            .self()
                            .hello(deadline())
                            .toCompletableFuture()
                            .join()
                            .filled()) {
                return false;
            }
        }
        return true;
    }

    /** All that a node held is gone; the others find out by themselves. */
    void crash(String id) {
        SimulatedNode node = node(id);
        nodes.remove(id);
        node.process.crash();
        node.cluster.close();
    }

    /** Has a node leave in order: it announces it, and is gone once others have taken over. */
    void leave(String id) {
        SimulatedNode node = node(id);
        node.cluster.beginLeaving();
        long endNanos = nowNanos() + Duration.ofSeconds(10).toNanos();
        leaveOnceTakenOver(node, endNanos);
    }

    private void leaveOnceTakenOver(SimulatedNode node, long endNanos) {
        if (!node.isRunning()) {
            nodes.remove(node.id, node);
            return;
        }
        node.cluster.othersHaveTakenOver(deadline()).whenComplete((done, error) -> {
            if ((error == null && done) || nowNanos() > endNanos) {
                nodes.remove(node.id, node);
                node.process.leave();
                at(Duration.ofSeconds(2), node.cluster::close);
            } else {
                node.later(Duration.ofMillis(50), () -> leaveOnceTakenOver(node, endNanos));
            }
        });
    }

    /** The same way, for what tags mean. */
    private record MeaningLink(Link link) implements MeaningReplica {

        @Override
        public CompletionStage<Matched<Peer>> match(MatchQuestion question, long deadlineNanos) {
            return link.call(deadlineNanos, node -> node.meaning().match(question, deadlineNanos));
        }

        @Override
        public CompletionStage<LoggedChanges> changes(
                Changes.Log log, Optional<LogPosition> since, int limit, Duration wait, long deadlineNanos) {
            return link.call(deadlineNanos, node -> node.meaning().changes(log, since, limit, wait, deadlineNanos));
        }

        @Override
        public CompletionStage<OntologyHeads> ontologies(String digest, long deadlineNanos) {
            return link.call(deadlineNanos, node -> node.meaning().ontologies(digest, deadlineNanos));
        }

        @Override
        public CompletionStage<byte[]> ontologyPart(OntologyHead head, int offset, long deadlineNanos) {
            return link.call(deadlineNanos, node -> node.meaning().ontologyPart(head, offset, deadlineNanos));
        }

        @Override
        public CompletionStage<Boolean> ontologyChanged(String asker, OntologyHead head, long deadlineNanos) {
            return link.call(deadlineNanos, node -> node.meaning().ontologyChanged(asker, head, deadlineNanos));
        }
    }

    /** Whether copies are short enough for a message; nothing is worked out where any length is. */
    private boolean fits(Supplier<Copies> copies) {
        if (frameBytesMax == Integer.MAX_VALUE) {
            return true;
        }
        try {
            return new TSerializer(new TCompactProtocol.Factory()).serialize(WirePeer.toWire(copies.get())).length
                    <= frameBytesMax;
        } catch (TException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The way from one node to another. */
    private final class Link implements RemoteReplica {
        private final SimulatedNode from;
        private final String to;
        private final Silence silence = new Silence();

        Link(SimulatedNode from, String to) {
            this.from = from;
            this.to = to;
        }

        private <T> CompletionStage<T> call(long deadlineNanos, Function<Replica, CompletionStage<T>> question) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            Silence.Sent then = silence.sent(0);
            from.later(Duration.ofNanos(Math.max(0, deadlineNanos - nowNanos())), () -> {
                if (!answer.isDone()) {
                    if (silence.unanswered(then, 0)) {
                        hello(nowNanos() + CALL_TIMEOUT.toNanos());
                    }
                    answer.completeExceptionally(new OutcomeUnknown("no answer from " + to));
                }
            });
            send(() -> reach(node -> question.apply(node.cluster.self())
                    .whenComplete((value, error) -> send(() -> from.process.run(() -> {
                        if (answer.isDone()) {
                            return;
                        }
                        silence.heard();
                        if (error == null) {
                            answer.complete(value);
                        } else {
                            answer.completeExceptionally(error);
                        }
                    })))));
            return answer;
        }

        private CompletionStage<Copies> fitting(CompletionStage<Copies> answer) {
            return answer.thenApply(copies -> {
                if (!fits(() -> copies)) {
                    throw new RegistryFault("the answer is too long");
                }
                return copies;
            });
        }

        private void reach(Consumer<SimulatedNode> work) {
            SimulatedNode node = nodes.get(to);
            if (node != null
                    && members.network()
                            .passes(
                                    from.process.node().gossip(),
                                    node.process.node().gossip())) {
                node.process.run(() -> work.accept(node));
            }
        }

        private void send(Runnable message) {
            if (random.nextDouble() >= loss) {
                at(Duration.ofNanos(random.nextLong(delayNanosMax)), message);
            }
        }

        @Override
        public String id() {
            return to;
        }

        @Override
        public boolean isStalled() {
            return silence.isConfirmed();
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
            if (!fits(() -> new Copies(
                    from.cluster.self().hello(0).toCompletableFuture().join(), changes, Optional.empty()))) {
                return CompletableFuture.failedFuture(new RegistryFault("the message is too long"));
            }
            if (random.nextDouble() < echoes) {
                // The same message from a connection that was thought to be lost, or from a caller's retry.
                at(
                        Duration.ofNanos(random.nextLong(echoAfterMax.toNanos())),
                        () -> reach(node -> node.cluster.self().apply(changes, nowNanos() + CALL_TIMEOUT.toNanos())));
            }
            CompletableFuture<Applied> applied = new CompletableFuture<>();
            at(
                    lateAt.getOrDefault(to, Duration.ZERO),
                    () -> from.process.run(() -> call(deadlineNanos, node -> node.apply(changes, deadlineNanos))
                            .whenComplete((value, error) -> {
                                if (error == null) {
                                    applied.complete(value);
                                } else {
                                    applied.completeExceptionally(error);
                                }
                            })));
            return applied;
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
        public CompletionStage<List<Long>> draw(List<String> callers, List<Long> wanted, long deadlineNanos) {
            return call(deadlineNanos, node -> node.draw(callers, wanted, deadlineNanos));
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
            firstPages += place.equals(Place.START) ? 1 : 0;
            return call(deadlineNanos, node -> fitting(node.copies(asker, place, deadlineNanos)));
        }

        @Override
        public CompletionStage<Copies> copiesOf(String asker, List<InstanceId> ids, long deadlineNanos) {
            return call(deadlineNanos, node -> fitting(node.copiesOf(asker, ids, deadlineNanos)));
        }

        @Override
        public CompletionStage<Compared> compare(String asker, int rank, long[] buckets, long deadlineNanos) {
            return call(deadlineNanos, node -> node.compare(asker, rank, buckets, deadlineNanos));
        }

        @Override
        public MeaningReplica meaning() {
            return new MeaningLink(this);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
