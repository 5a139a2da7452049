// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.server.sim.SwimCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** FF-31: two of three nodes can't reach each other; both reach the third, and nobody is declared dead. */
class PartialReachTest {

    private static final int INSTANCES = 20;
    /** Longer than any test takes: nobody sends heartbeats. */
    private static final Duration LEASE = Duration.ofHours(1);

    /** Two intervals of repair, each at most one and a half times as long as it is set. */
    private static final Duration BOUND = Duration.ofSeconds(15).plusSeconds(1);

    private final SimulatedCluster cluster = new SimulatedCluster(1, 3);

    @BeforeEach
    void start() {
        cluster.startAll(3);
        cluster.members.network().cut(SwimCluster.address(0), SwimCluster.address(2));
    }

    private Written register(int i) {
        Instance instance =
                Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(new InstanceId("i" + i));
        CompletableFuture<Written> answer = cluster.node("n0")
                .cluster
                .coordinator()
                .register(
                        RegisterCommand.of(new RegisterRequest(
                                instance,
                                List.of(Tag.parse("http://example.org/#" + i)),
                                Optional.of(LEASE),
                                RegisterMode.REPLACE,
                                OptionalLong.empty())),
                        cluster.deadline())
                .toCompletableFuture();
        cluster.run(Duration.ofMillis(500));
        return answer.join();
    }

    private long heldAt(String node) {
        return cluster.node(node).store.instanceCount();
    }

    @Test
    void registrationsAndTheirEndReachTheOtherByWayOfTheThird() {
        for (int i = 0; i < INSTANCES; i++) {
            assertThat(register(i).copiesMade()).isEqualTo(2);
        }
        cluster.run(BOUND);
        assertThat(heldAt("n2")).isEqualTo(INSTANCES);

        for (int i = 0; i < INSTANCES; i++) {
            cluster.node("n0")
                    .cluster
                    .coordinator()
                    .deregister(new LeaseRef(new InstanceId("i" + i), 0), cluster.deadline());
        }
        cluster.run(BOUND);
        assertThat(heldAt("n0")).isZero();
        assertThat(heldAt("n1")).isZero();
        assertThat(heldAt("n2")).isZero();
        for (SimulatedCluster.SimulatedNode node : cluster.running()) {
            assertThat(node.cluster.view().reachable())
                    .as("what " + node.id + " sees")
                    .hasSize(3);
        }
    }

    @Test
    void nodeThatJoinsWaitsForOneThatItCanNotReachAndGoesOnWithoutItInTheEnd() {
        cluster.members.network().heal();
        cluster.members.network().cut(SwimCluster.address(2), SwimCluster.address(3));
        for (int i = 0; i < INSTANCES; i++) {
            register(i);
        }
        cluster.start(3);

        cluster.run(Duration.ofSeconds(20));
        ClusterView seen = cluster.node("n0").cluster.view();
        assertThat(seen.reachable()).hasSize(4);
        assertThat(seen.isJoining("n3")).isTrue();

        cluster.run(Duration.ofSeconds(30));
        assertThat(cluster.node("n3").cluster.isReady()).isTrue();
        assertThat(cluster.node("n0").cluster.view().readRing().size()).isEqualTo(4);
        assertThat(heldAt("n3")).isPositive();
    }
}
