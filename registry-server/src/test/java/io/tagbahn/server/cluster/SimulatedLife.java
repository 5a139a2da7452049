// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import io.tagbahn.server.sim.SwimCluster;
import io.tagbahn.server.store.Buckets;
import io.tagbahn.server.store.Held;
import io.tagbahn.server.store.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The life of a cluster by the numbers of a seed: instances come, change and go at random nodes, lookups go on all the
 * time, messages get lost and come again late, nodes crash and come back empty (at most k-1 of them within the time
 * that it takes to recover), stand still, join, leave; some clusters part into halves. Then a quiet time, after which
 * everything held anywhere is compared with what callers were told.
 */
final class SimulatedLife {

    private static final int NODES = 6;
    private static final int INSTANCES = 24;
    private static final int TAGS = 40;
    private static final int STEPS = 240;
    private static final Duration STEP = Duration.ofMillis(500);
    /** By when repair has put right what messages that were lost or late have left. */
    private static final Duration REPAIRED = Duration.ofSeconds(30);

    private final long seed;
    private final int replicas;
    private final boolean parts;
    private final SimulatedCluster cluster;
    private final List<String> course = new ArrayList<>();

    /** What the callers of an instance know. */
    private static final class Known {
        private long generation;
        private Set<String> entries = Set.of();
        private boolean registered;
        /** Whether a call is under way. */
        private boolean open;
        /** Whether the last call failed: either outcome is right. */
        private boolean unclear;

        private long sinceNanos;
    }

    private final Map<String, Known> known = new TreeMap<>();
    private @Nullable AssertionError failure;
    private int nextNode = NODES;
    private long troubledUntilNanos;
    private long partedUntilNanos;
    /** Until when messages get lost, or come again. */
    private long lossyUntilNanos;

    SimulatedLife(long seed) {
        this.seed = seed;
        this.replicas = 1 + (int) (seed % 3);
        this.parts = seed % 4 == 0;
        this.cluster = new SimulatedCluster(seed, replicas);
        for (int i = 0; i < INSTANCES; i++) {
            known.put("i" + i, new Known());
        }
    }

    /** What happened, for comparison. */
    List<String> course() {
        return course;
    }

    void live() {
        cluster.startAll(NODES);
        cluster.loss = seed % 2 == 0 ? 0.03 : 0;
        cluster.echoes = 0.02;
        lossyUntilNanos = Long.MAX_VALUE;
        for (int step = 0; step < STEPS; step++) {
            change();
            lookup();
            if (cluster.nowNanos() >= troubledUntilNanos && cluster.random.nextInt(15) == 0) {
                trouble();
            }
            if (step % 10 == 0) {
                heartbeat();
                assertNothingCameBack();
            }
            run(STEP);
        }
        cluster.loss = 0;
        cluster.echoes = 0;
        lossyUntilNanos = cluster.nowNanos();
        for (int quiet = 0; quiet < 10; quiet++) {
            heartbeat();
            lookup();
            run(Duration.ofSeconds(5));
        }
        assertNothingCameBack();
        assertAllAgree();
    }

    /** Nodes come up one after the other while services register; no message is lost, so each answer has to be right. */
    void beginAtOnce() {
        cluster.start(0);
        cluster.runUntil(() -> !takingCalls().isEmpty(), Duration.ofSeconds(30));
        nextNode = 1;
        for (int step = 0; step < STEPS; step++) {
            if (nextNode < NODES && cluster.random.nextInt(3) == 0) {
                note("start " + nextNode);
                cluster.start(nextNode++);
            }
            change();
            lookup();
            lookup();
            if (step % 10 == 0) {
                heartbeat();
            }
            run(Duration.ofMillis(50));
        }
        for (int quiet = 0; quiet < 10; quiet++) {
            heartbeat();
            lookup();
            run(Duration.ofSeconds(5));
        }
        assertAllAgree();
    }

    private AssertionError failed(String what) {
        Set<String> words = new HashSet<>(List.of(what.split("[^a-z0-9]+", -1)));
        List<String> told = new ArrayList<>();
        for (String line : course) {
            String subject = line.replaceAll("^[0-9]+ ms (register |deregister )?([a-z0-9]+) .*", "$2");
            if (!subject.startsWith("i") || words.contains(subject)) {
                told.add(line);
            }
        }
        return new AssertionError("seed " + seed + ", k = " + replicas + ": " + what + "\n" + String.join("\n", told));
    }

    /** Callbacks can't throw: it is thrown after the step. */
    private void fail(String what) {
        if (failure == null) {
            failure = failed(what);
        }
    }

    private void run(Duration length) {
        cluster.run(length);
        if (failure != null) {
            throw failure;
        }
    }

    private void note(String what) {
        course.add(cluster.nowNanos() / SimulatedCluster.MILLI + " ms " + what);
    }

    /** One that takes calls. */
    private SimulatedNode anyNode() {
        List<SimulatedNode> nodes = takingCalls();
        return nodes.get(cluster.random.nextInt(nodes.size()));
    }

    private List<SimulatedNode> takingCalls() {
        List<SimulatedNode> running = new ArrayList<>(cluster.running());
        running.removeIf(node -> node.cluster.view().isJoining(node.id));
        return running;
    }

    // ------------------------------------------------------------ what goes wrong

    private void trouble() {
        // Another one only when this one is over.
        troubledUntilNanos = cluster.nowNanos() + Duration.ofSeconds(20).toNanos();
        switch (cluster.random.nextInt(parts ? 6 : 5)) {
            case 0, 1 -> crash();
            case 2 -> {
                SimulatedNode node = anyNode();
                Duration length = Duration.ofMillis(200 + cluster.random.nextInt(4_000));
                note("pause of " + node.id + " for " + length);
                node.process.pause(length);
            }
            case 3 -> {
                note("join of n" + nextNode);
                cluster.start(nextNode++);
            }
            case 4 -> {
                if (cluster.running().size() > NODES - 1) {
                    SimulatedNode node = anyNode();
                    note("leave of " + node.id);
                    cluster.leave(node.id);
                }
            }
            default -> part();
        }
    }

    private void crash() {
        for (int i = 0; i < replicas - 1; i++) {
            SimulatedNode node = anyNode();
            note("crash of " + node.id);
            cluster.crash(node.id);
            cluster.at(Duration.ofMillis(200 + cluster.random.nextInt(8_000)), () -> {
                note("restart of " + node.id);
                cluster.start(node.number);
            });
        }
    }

    private void part() {
        Duration length = Duration.ofSeconds(2 + cluster.random.nextInt(20));
        List<SimulatedNode> other = new ArrayList<>();
        for (SimulatedNode node : cluster.running()) {
            if (cluster.random.nextBoolean()) {
                other.add(node);
            }
        }
        note("partition " + other.stream().map(node -> node.id).toList() + " for " + length);
        other.forEach(node -> cluster.members.network().side(SwimCluster.address(node.number), 1));
        cluster.at(length, () -> {
            note("halves meet");
            cluster.members.network().heal();
        });
        partedUntilNanos = cluster.nowNanos() + length.plus(REPAIRED).toNanos();
        troubledUntilNanos = partedUntilNanos;
    }

    private boolean isParted() {
        return cluster.nowNanos() < partedUntilNanos;
    }

    // ------------------------------------------------------------ callers

    private static Instance instance(String id) {
        return Instance.of(new ServiceName("service"), HostPort.parse("10.0.0.1:80"))
                .withId(new InstanceId(id));
    }

    private void change() {
        String id = "i" + cluster.random.nextInt(INSTANCES);
        Known what = known.get(id);
        SimulatedNode node = anyNode();
        if (what == null || what.open) {
            return;
        }
        what.open = true;
        if (what.registered && cluster.random.nextInt(4) == 0) {
            note("deregister " + id + " at " + node.id);
            answered(
                    id,
                    what,
                    node.cluster
                            .coordinator()
                            .deregister(new LeaseRef(new InstanceId(id), what.generation), cluster.deadline())
                            .thenApply(done -> {
                                what.registered = false;
                                return true;
                            }));
            return;
        }
        Set<String> entries = new TreeSet<>(Set.of("service"));
        List<Tag> tags = new ArrayList<>();
        for (int tag = cluster.random.nextInt(6); tag >= 0; tag--) {
            Tag parsed = Tag.parse(tag(cluster.random.nextInt(TAGS)));
            tags.add(parsed);
            entries.add(parsed.spelling());
        }
        note("register " + id + " at " + node.id + " " + entries);
        RegisterRequest request =
                new RegisterRequest(instance(id), tags, Optional.empty(), RegisterMode.REPLACE, OptionalLong.empty());
        answered(
                id,
                what,
                node.cluster
                        .coordinator()
                        .register(RegisterCommand.of(request), cluster.deadline())
                        .thenApply(written -> {
                            what.registered = true;
                            what.generation = written.generation();
                            what.entries = entries;
                            // Otherwise it is said to be on too few nodes to survive a crash.
                            return written.copiesMade() > written.copiesWanted() / 2;
                        }));
    }

    private static String tag(int number) {
        return "http://example.org/t#" + number;
    }

    private void answered(String id, Known what, CompletionStage<Boolean> answer) {
        answer.whenComplete((safe, error) -> {
            note(id + (error == null ? " done" + (safe ? " " + what.generation : ", unsafe") : " failed " + error));
            what.unclear = error != null || !safe;
            what.open = false;
            what.sinceNanos = cluster.nowNanos();
        });
    }

    /** All that callers know of, so that only what they don't keep can end. */
    private void heartbeat() {
        List<LeaseRef> leases = new ArrayList<>();
        known.forEach((id, what) -> {
            if (what.registered && !what.open) {
                leases.add(new LeaseRef(new InstanceId(id), what.generation));
            }
        });
        boolean parted = isParted();
        SimulatedNode node = anyNode();
        CompletionStage<HeartbeatResult> answer = node.cluster.coordinator().heartbeat(leases, cluster.deadline());
        answer.thenAccept(result -> result.unknown().forEach(lease -> {
            Known now = known.get(lease.instanceId().value());
            // A change may have come in between.
            boolean lost = now != null
                    && now.registered
                    && now.generation == lease.generation()
                    && !now.open
                    && !now.unclear
                    && !parted;
            if (lost) {
                fail("lost " + lease + ", says " + node.id);
            } else if (now != null && !now.open) {
                now.unclear = true; // its caller registers it again, in its own time
            }
        }));
    }

    /** Whether an answer has to be right about an instance by now. */
    private boolean isSettled(Known what, long askedNanos) {
        // The last message may have been lost a moment before none is any more.
        long since = what.sinceNanos <= lossyUntilNanos ? REPAIRED.toNanos() : 0;
        return !what.open && !what.unclear && askedNanos - what.sinceNanos >= since;
    }

    private void lookup() {
        SimulatedNode node = anyNode();
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            entries.add(tag(cluster.random.nextInt(TAGS)));
        }
        long askedNanos = cluster.nowNanos();
        Map<String, Long> settled = new HashMap<>();
        known.forEach((id, what) -> {
            if (isSettled(what, askedNanos)) {
                settled.put(id, what.registered ? what.generation : -1);
            }
        });
        boolean parted = isParted();
        node.cluster.find(entries, cluster.deadline()).thenAccept(found -> {
            if (found.degraded() || parted) {
                return;
            }
            for (int i = 0; i < entries.size(); i++) {
                Set<String> ids = new TreeSet<>();
                for (Peer peer : found.peers().get(i)) {
                    ids.add(peer.instance().id().value());
                }
                check(node, entries.get(i), ids, settled);
            }
        });
    }

    private void check(SimulatedNode node, String entry, Set<String> found, Map<String, Long> settled) {
        settled.forEach((id, generation) -> {
            Known what = known.get(id);
            if (what == null || what.open || what.unclear || generation != (what.registered ? what.generation : -1)) {
                return; // it has changed since
            }
            boolean expected = what.registered && what.entries.contains(entry);
            if (expected != found.contains(id)) {
                fail(node.id + " answers for " + entry + " " + found + ", which is wrong about " + id
                        + " of generation " + generation + ", owners "
                        + node.cluster.view().owners(entry)
                        + views(id));
            }
        });
    }

    /** What each node sees, and holds of an instance. */
    private String views(String id) {
        StringBuilder text = new StringBuilder();
        for (SimulatedNode node : cluster.running()) {
            ClusterView view = node.cluster.view();
            text.append("\n  ")
                    .append(node.id)
                    .append(": reads ")
                    .append(ids(view.readRing()))
                    .append(", next ")
                    .append(ids(view.nextRing()))
                    .append(", others filling ")
                    .append(view.isFilling())
                    .append(", holds ");
            node.store
                    .held(new InstanceId(id), cluster.now())
                    .ifPresentOrElse(
                            held -> text.append(held.generation())
                                    .append(held.home() ? " record " : " ")
                                    .append(held.posted()),
                            () -> text.append("nothing"));
        }
        return text.toString();
    }

    private static List<String> ids(Ring ring) {
        return ring.members().stream().map(RingMember::id).sorted().toList();
    }

    // ------------------------------------------------------------ what has to hold

    /** What was deregistered long enough ago is nowhere. */
    private void assertNothingCameBack() {
        if (isParted()) {
            return;
        }
        for (SimulatedNode node : cluster.running()) {
            known.forEach((id, what) -> {
                boolean gone = !what.registered
                        && !what.open
                        && !what.unclear
                        && what.sinceNanos > 0
                        && cluster.nowNanos() - what.sinceNanos > REPAIRED.toNanos();
                if (gone && node.store.held(new InstanceId(id), cluster.now()).isPresent()) {
                    throw failed(id + " has come back at " + node.id + ": "
                            + node.store.held(new InstanceId(id), cluster.now()));
                }
            });
        }
    }

    private void assertAllAgree() {
        Map<String, Set<String>> posted = new TreeMap<>();
        Map<String, Integer> homes = new TreeMap<>();
        List<SimulatedNode> running = cluster.running();
        for (SimulatedNode node : running) {
            ClusterView view = node.cluster.view();
            if (view.hash() != running.get(0).cluster.view().hash() || !cluster.allReady()) {
                throw failed("nodes see different rings");
            }
            for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
                for (Held held : node.store.held(bucket, Optional.empty(), cluster.now())) {
                    String id = held.id().value();
                    Known what = known.get(id);
                    if (what == null || what.open || what.unclear) {
                        continue;
                    }
                    if (!what.registered) {
                        throw failed(id + " is held at " + node.id + " and should be gone");
                    }
                    if (held.generation() != what.generation
                            || (held.home() && !what.entries.equals(new TreeSet<>(held.entries())))) {
                        throw failed(id + " at " + node.id + " is " + held + " and should be of " + what.generation);
                    }
                    if (held.home()) {
                        homes.merge(id, 1, Integer::sum);
                    }
                    for (String entry : held.posted()) {
                        posted.computeIfAbsent(entry + " " + id, unused -> new TreeSet<>())
                                .add(node.id);
                    }
                }
            }
        }
        ClusterView view = running.get(0).cluster.view();
        Map<String, Set<String>> wanted = new TreeMap<>();
        known.forEach((id, what) -> {
            if (what.registered && !what.open && !what.unclear) {
                if (!Integer.valueOf(ClusterView.HOMES).equals(homes.get(id))) {
                    throw failed(id + " has " + homes.get(id) + " homes");
                }
                for (String entry : what.entries) {
                    wanted.put(entry + " " + id, new TreeSet<>(view.futureOwners(entry)));
                }
            }
        });
        if (!posted.equals(wanted)) {
            throw failed("posted " + posted + "\nwanted " + wanted);
        }
    }
}
