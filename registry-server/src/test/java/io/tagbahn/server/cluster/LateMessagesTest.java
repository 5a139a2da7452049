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
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.replication.Shares;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Messages that come long after what they tell of, and nodes that come back long after they were given up. */
class LateMessagesTest {

    private static final int INSTANCES = 40;

    private final SimulatedCluster cluster = new SimulatedCluster(1, 2);

    private static InstanceId id(int i) {
        return new InstanceId("i" + i);
    }

    private static String entry(int i) {
        return "http://example.org/#" + i;
    }

    private Written register(String node, int i) {
        Instance instance =
                Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(id(i));
        CompletableFuture<Written> answer = cluster.node(node)
                .cluster
                .coordinator()
                .register(
                        RegisterCommand.of(new RegisterRequest(
                                instance,
                                List.of(Tag.parse(entry(i))),
                                Optional.of(Duration.ofHours(1)),
                                RegisterMode.REPLACE,
                                OptionalLong.empty())),
                        cluster.deadline())
                .toCompletableFuture();
        cluster.run(Duration.ofMillis(100));
        return answer.join();
    }

    @Test
    void registrationThatComesAgainAtANewHomeFindsTheTombstoneThere() {
        cluster.startAll(4);
        List<Change> late = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            long generation = register("n0", i).generation();
            for (SimulatedNode node : cluster.running()) {
                node.store
                        .held(id(i), cluster.now())
                        .filter(Held::home)
                        .map(Shares::record)
                        .ifPresent(late::add);
            }
            cluster.node("n1").cluster.coordinator().deregister(new LeaseRef(id(i), generation), cluster.deadline());
            cluster.run(Duration.ofMillis(100));
        }
        assertThat(late).hasSize(3 * INSTANCES);
        // No home of before is left.
        for (int number = 4; number < 8; number++) {
            cluster.start(number);
        }
        assertThat(cluster.runUntil(() -> cluster.running().size() == 8 && cluster.allReady(), Duration.ofSeconds(60)))
                .isTrue();
        for (int number = 0; number < 4; number++) {
            int left = 7 - number;
            cluster.leave("n" + number);
            assertThat(cluster.runUntil(
                            () -> cluster.running().size() == left && cluster.allReady(), Duration.ofSeconds(60)))
                    .isTrue();
        }

        for (Change change : late) {
            for (String home : cluster.running().get(0).cluster.view().futureHomes(change.id())) {
                Applied applied = cluster.node(home)
                        .cluster
                        .self()
                        .apply(List.of(change), cluster.deadline())
                        .toCompletableFuture()
                        .join();
                assertThat(applied.outcomes())
                        .as(change.id() + " at " + home)
                        .extracting(Outcome::kind)
                        .containsExactly(Outcome.Kind.GONE);
            }
        }
    }

    @Test
    void nodeThatWasGivenUpWhileItStoodStillComesBackByItselfAndAnswersNothingStale() {
        cluster.startAll(4);
        for (int i = 0; i < INSTANCES; i++) {
            register("n0", i);
        }
        SimulatedNode still = cluster.node("n3");
        still.process.pause(Duration.ofSeconds(12));
        assertThat(cluster.runUntil(
                        () -> cluster.node("n0").cluster.view().reachable().size() == 3, Duration.ofSeconds(11)))
                .isTrue();
        for (int i = INSTANCES; i < 2 * INSTANCES; i++) {
            register("n0", i);
        }
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < 2 * INSTANCES; i++) {
            entries.add(entry(i));
        }

        int[] whole = new int[1];
        List<Throwable> wrong = new ArrayList<>();
        for (int look = 0; look < 400; look++) {
            still.process.run(() -> still.cluster
                    .find(entries, cluster.deadline())
                    .thenAccept(found -> {
                        if (!found.degraded()) {
                            whole[0]++;
                            assertThat(found.peers())
                                    .allSatisfy(peers -> assertThat(peers).hasSize(1));
                        } else {
                            whole[0] = 0;
                        }
                    })
                    .whenComplete((done, error) -> {
                        if (error != null) {
                            wrong.add(error);
                        }
                    }));
            cluster.run(Duration.ofMillis(50));
        }
        assertThat(wrong).isEmpty();
        assertThat(whole[0])
                .as("answers that were right, without a break, at last")
                .isGreaterThan(50);
        assertThat(cluster.running()).hasSize(4);
        assertThat(cluster.allReady()).isTrue();
    }
}
