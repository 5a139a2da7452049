// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.RegisterCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What those that are left answer while they take over from nodes that are gone. */
class TakeoverTest {

    private static final int REPLICAS = 3;
    private static final int NODES = 5;
    private static final int INSTANCES = 30;
    private static final int TAGS = 6;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void listsAndAnswersThatCallThemselvesWholeAreWhole(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, REPLICAS);
        for (int i = 0; i < NODES; i++) {
            cluster.start(i);
        }
        assertThat(cluster.runUntil(() -> isReadByAll(cluster), Duration.ofSeconds(60)))
                .isTrue();
        TreeSet<String> registered = new TreeSet<>(List.of("s"));
        for (int i = 0; i < INSTANCES; i++) {
            register(cluster, i, registered);
        }
        // They still act on rings from before some of them had joined.
        cluster.crash("n1");
        cluster.run(Duration.ofMillis(300));
        cluster.crash("n3");
        List<String> wrong = new ArrayList<>();
        int[] whole = new int[1];
        long endNanos = cluster.nowNanos() + Duration.ofSeconds(8).toNanos();
        while (cluster.nowNanos() < endNanos && wrong.isEmpty()) {
            for (SimulatedCluster.SimulatedNode node : cluster.running()) {
                node.cluster
                        .list("", Optional.empty(), 1_000, cluster.deadline())
                        .thenAccept(page -> {
                            if (!page.degraded()) {
                                whole[0]++;
                                TreeSet<String> missing = new TreeSet<>(registered);
                                missing.removeAll(page.entries());
                                if (!missing.isEmpty()) {
                                    wrong.add("through " + node.id + " lacks " + missing);
                                }
                            }
                        });
            }
            cluster.run(Duration.ofMillis(20));
        }

        assertThat(wrong).as("seed %d", seed).isEmpty();
        assertThat(whole[0]).isPositive();
    }

    private static boolean isReadByAll(SimulatedCluster cluster) {
        return cluster.running().size() == NODES
                && cluster.running().stream()
                        .allMatch(node -> node.cluster.view().readRing().size() == NODES);
    }

    private static void register(SimulatedCluster cluster, int i, Set<String> registered) {
        Instance instance =
                Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(new InstanceId("i" + i));
        List<Tag> tags = new ArrayList<>();
        for (int t = 0; t < TAGS; t++) {
            String tag = "http://example.org/#i" + i + "t" + t;
            tags.add(Tag.parse(tag));
            registered.add(tag);
        }
        cluster.node("n" + i % NODES)
                .cluster
                .coordinator()
                .register(
                        RegisterCommand.of(new RegisterRequest(
                                instance,
                                tags,
                                Optional.of(Duration.ofHours(1)),
                                RegisterMode.REPLACE,
                                OptionalLong.empty())),
                        cluster.deadline());
        cluster.run(Duration.ofMillis(10));
    }
}
