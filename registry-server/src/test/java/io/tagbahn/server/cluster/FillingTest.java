// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a node is filled anew. */
class FillingTest {

    private final SimulatedCluster cluster = new SimulatedCluster(1, 2);

    private boolean isFilled(String node) {
        return cluster.node(node)
                .cluster
                .self()
                .hello(cluster.deadline())
                .toCompletableFuture()
                .join()
                .filled();
    }

    @Test
    void nodeThatLosesSightOfAnotherWhileItIsFilledIsFilledOnceItSeesItAgain() {
        cluster.startAll(2);
        cluster.start(2);
        assertThat(cluster.runUntil(
                        () -> cluster.running().size() == 3
                                && cluster.node("n2").cluster.view().nextRing().size() == 3,
                        Duration.ofSeconds(30)))
                .isTrue();
        SimulatedCluster.SimulatedNode node = cluster.node("n2");
        assertThat(isFilled("n2")).isFalse();

        cluster.run(Duration.ofMillis(50)); // it sorts out what it owns, and asks the others soon
        node.writer().hold();
        node.lookAway("n1", true);
        cluster.run(Duration.ofSeconds(1));
        node.lookAway("n1", false);
        cluster.run(Duration.ofMillis(100));
        node.writer().goOn();

        assertThat(cluster.runUntil(cluster::allReady, Duration.ofSeconds(20)))
                .as("all are ready")
                .isTrue();
    }
}
