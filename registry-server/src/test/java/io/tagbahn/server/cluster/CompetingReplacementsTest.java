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
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The same instance, registered with other tags at two of its homes in the same millisecond. */
class CompetingReplacementsTest {

    private static final int INSTANCES = 40;
    /** Less than an interval of repair: nothing is left to comparison. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private final SimulatedCluster cluster = new SimulatedCluster(2, 2);

    private static List<String> tags(int i, String node) {
        return List.of("http://example.org/" + node + "#" + i, "http://example.org/both#" + i);
    }

    private CompletableFuture<Written> register(int i, String node) {
        Instance instance =
                Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(new InstanceId("i" + i));
        return cluster.node(node)
                .cluster
                .coordinator()
                .register(
                        RegisterCommand.of(new RegisterRequest(
                                instance,
                                tags(i, node).stream().map(Tag::parse).toList(),
                                Optional.of(Duration.ofHours(1)),
                                RegisterMode.REPLACE,
                                OptionalLong.empty())),
                        cluster.deadline())
                .toCompletableFuture();
    }

    private List<String> entriesAt(SimulatedNode home, InstanceId id) {
        List<String> entries = new ArrayList<>(home.store
                .held(id, cluster.now())
                .filter(Held::home)
                .orElseThrow(() -> new AssertionError(id + " has no record at " + home.id))
                .entries());
        entries.remove("s");
        return entries;
    }

    @Test
    void oneOfThemStandsAtAllHomesAndOwnersAndTheOtherNowhere() {
        cluster.startAll(4);
        cluster.run(Duration.ofSeconds(10));
        List<CompletableFuture<Written>> answers = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            // Each decides by itself what it is called with.
            for (String home : cluster.node("n0")
                    .cluster
                    .view()
                    .futureHomes(new InstanceId("i" + i))
                    .subList(0, 2)) {
                answers.add(register(i, home));
            }
        }
        cluster.run(SOON);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());

        for (int i = 0; i < INSTANCES; i++) {
            InstanceId id = new InstanceId("i" + i);
            Collection<String> homes = cluster.node("n0").cluster.view().futureHomes(id);
            Set<List<String>> records = new HashSet<>();
            homes.forEach(home -> records.add(entriesAt(cluster.node(home), id)));
            assertThat(records).as("records of " + id).hasSize(1);
            List<String> stands = records.iterator().next();
            assertThat(stands).as("what stands of " + id).hasSize(2);
            for (SimulatedNode node : cluster.running()) {
                List<String> posted = new ArrayList<>(
                        node.store.held(id, cluster.now()).map(Held::posted).orElse(List.of()));
                posted.remove("s");
                List<String> owned = new ArrayList<>(stands);
                owned.removeIf(entry -> !node.cluster.view().futureOwners(entry).contains(node.id));
                assertThat(posted).as("posted of " + id + " at " + node.id).isEqualTo(owned);
            }
        }
    }
}
