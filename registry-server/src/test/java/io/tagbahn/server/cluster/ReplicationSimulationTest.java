// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.store.Buckets;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random changes at random nodes while messages get lost and nodes crash and come back empty, at most k-1 of them within
 * the time that it takes to recover. Then a quiet time, after which everything held anywhere is compared with what was
 * answered for.
 */
class ReplicationSimulationTest {

    private static final int NODES = 6;
    private static final int INSTANCES = 24;
    private static final int STEPS = 240;

    private SimulatedCluster cluster = new SimulatedCluster(0, 1);
    private int replicas;

    /** What callers know: the newest generation that was granted, and its tags; or that it is gone. */
    private record Known(long generation, Set<String> entries) {}

    private final Map<String, Known> known = new TreeMap<>();
    /** Instances whose last change was not answered: either outcome is right. */
    private final Set<String> open = new HashSet<>();

    static List<Long> seeds() {
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= 12; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsLostNothingComesBackAndCopiesAgree(long seed) {
        replicas = seed % 3 == 0 ? 3 : 2;
        cluster = new SimulatedCluster(seed, replicas);
        for (int i = 0; i < NODES; i++) {
            cluster.start("n" + i);
            cluster.run(Duration.ofSeconds(i < 3 ? 0 : 1));
        }
        cluster.run(Duration.ofSeconds(10));
        cluster.loss = seed % 2 == 0 ? 0.05 : 0;
        int crashedUntil = 0;
        for (int step = 0; step < STEPS; step++) {
            change();
            if (step >= crashedUntil && cluster.random.nextInt(20) == 0) {
                crashedUntil = step + 40;
                crashSome();
            }
            if (step % 10 == 0) {
                heartbeat();
            }
            cluster.run(Duration.ofMillis(500));
        }
        cluster.loss = 0;
        for (int quiet = 0; quiet < 6; quiet++) {
            heartbeat();
            cluster.run(Duration.ofSeconds(5));
        }
        assertAllAgree();
    }

    private String anyNode() {
        List<String> ids = List.copyOf(cluster.nodes.keySet());
        return ids.get(cluster.random.nextInt(ids.size()));
    }

    private void crashSome() {
        for (int i = 0; i < replicas - 1; i++) {
            String id = anyNode();
            cluster.crash(id, Duration.ofMillis(1_500));
            cluster.at(Duration.ofSeconds(6).toNanos(), () -> cluster.start(id));
        }
    }

    private static Instance instance(String id) {
        return Instance.of(new ServiceName("service"), HostPort.parse("10.0.0.1:80"))
                .withId(new InstanceId(id));
    }

    private void change() {
        String id = "i" + cluster.random.nextInt(INSTANCES);
        Coordinator coordinator = cluster.node(anyNode()).cluster.coordinator();
        if (open.contains(id)) {
            return; // its caller still waits
        }
        open.add(id);
        Known what = known.get(id);
        if (what != null && cluster.random.nextInt(4) == 0) {
            long generation = what.generation();
            coordinator
                    .deregister(new LeaseRef(new InstanceId(id), generation), cluster.deadline())
                    .whenComplete((done, error) -> {
                        if (error == null) {
                            known.remove(id);
                            open.remove(id);
                        } else {
                            known.remove(id); // it may be there or not, until it is registered again
                        }
                    });
            return;
        }
        Set<String> entries = new TreeSet<>(Set.of("service"));
        List<Tag> tags = new ArrayList<>();
        for (int tag = cluster.random.nextInt(6); tag >= 0; tag--) {
            Tag parsed = Tag.parse("http://example.org/t#" + cluster.random.nextInt(40));
            tags.add(parsed);
            entries.add(parsed.spelling());
        }
        RegisterRequest request =
                new RegisterRequest(instance(id), tags, Optional.empty(), RegisterMode.REPLACE, OptionalLong.empty());
        coordinator.register(request, cluster.deadline()).whenComplete((written, error) -> {
            if (error == null && written.copiesMade() > written.copiesWanted() / 2) {
                known.put(id, new Known(written.generation(), entries));
                open.remove(id);
            } else {
                // Not carried out, or said to be on too few nodes to survive a crash.
                known.remove(id);
            }
        });
    }

    /** All that callers know of, so that only what they don't keep can end. */
    private void heartbeat() {
        List<LeaseRef> leases = new ArrayList<>();
        known.forEach((id, what) -> leases.add(new LeaseRef(new InstanceId(id), what.generation())));
        CompletionStage<HeartbeatResult> answer =
                cluster.node(anyNode()).cluster.coordinator().heartbeat(leases, cluster.deadline());
        answer.thenAccept(result -> result.unknown().forEach(lease -> {
            Known now = known.get(lease.instanceId().value());
            // A change may have come in between.
            boolean lost = now != null
                    && now.generation() == lease.generation()
                    && !open.contains(lease.instanceId().value());
            assertThat(lost).as("lost " + lease).isFalse();
        }));
    }

    private void assertAllAgree() {
        Map<String, Set<String>> posted = new TreeMap<>();
        Map<String, Integer> homes = new TreeMap<>();
        for (SimulatedNode node : cluster.nodes.values()) {
            ClusterView view = node.cluster.view();
            for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
                for (Held held : node.store.held(bucket, Optional.empty(), cluster.now())) {
                    String id = held.id().value();
                    if (open.contains(id)) {
                        continue;
                    }
                    Known what = known.get(id);
                    if (what == null) {
                        throw new AssertionError(id + " is held at " + node.id + " and should be gone");
                    }
                    assertThat(held.generation()).as(id + " at " + node.id).isEqualTo(what.generation());
                    if (held.home()) {
                        homes.merge(id, 1, Integer::sum);
                        assertThat(held.entries()).containsExactlyInAnyOrderElementsOf(what.entries());
                    }
                    for (String entry : held.posted()) {
                        assertThat(view.futureOwners(entry)).contains(node.id);
                        posted.computeIfAbsent(entry + " " + id, unused -> new TreeSet<>())
                                .add(node.id);
                    }
                }
            }
        }
        ClusterView view = cluster.nodes.values().iterator().next().cluster.view();
        Map<String, Set<String>> wanted = new TreeMap<>();
        known.forEach((id, what) -> {
            if (!open.contains(id)) {
                assertThat(homes).as("homes of " + id).containsEntry(id, ClusterView.HOMES);
                for (String entry : what.entries()) {
                    wanted.put(entry + " " + id, new TreeSet<>(view.futureOwners(entry)));
                }
            }
        });
        assertThat(posted).isEqualTo(wanted);
    }
}
