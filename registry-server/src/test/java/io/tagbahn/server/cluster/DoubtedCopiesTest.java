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
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.store.Buckets;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that stood still while others took them for dead: what they hold of what changed meanwhile. */
class DoubtedCopiesTest {

    private static final int INSTANCES = 60;
    private static final int TAGS = 4;

    private final SimulatedCluster cluster = new SimulatedCluster(3, 2);
    /** What should be found: the tags of each instance. */
    private final Map<String, Set<String>> registered = new TreeMap<>();

    @BeforeEach
    void start() {
        cluster.startAll(6);
        for (int i = 0; i < INSTANCES; i++) {
            register(i, "before");
        }
    }

    private void register(int i, String when) {
        List<Tag> tags = new ArrayList<>();
        Set<String> entries = new TreeSet<>();
        for (int tag = 0; tag < TAGS; tag++) {
            entries.add("http://example.org/" + when + "#" + i + "-" + tag);
        }
        entries.forEach(entry -> tags.add(Tag.parse(entry)));
        Instance instance =
                Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(new InstanceId("i" + i));
        CompletableFuture<Written> answer = cluster.node("n0")
                .cluster
                .coordinator()
                .register(
                        RegisterCommand.of(new RegisterRequest(
                                instance,
                                tags,
                                Optional.of(Duration.ofHours(1)),
                                RegisterMode.REPLACE,
                                OptionalLong.empty())),
                        cluster.deadline())
                .toCompletableFuture();
        assertThat(cluster.runUntil(answer::isDone, Duration.ofSeconds(3))).isTrue();
        answer.join();
        registered.put("i" + i, entries);
    }

    private void deregister(int i) {
        CompletableFuture<Void> answer = cluster.node("n0")
                .cluster
                .coordinator()
                .deregister(new LeaseRef(new InstanceId("i" + i), 0), cluster.deadline())
                .toCompletableFuture();
        assertThat(cluster.runUntil(answer::isDone, Duration.ofSeconds(3))).isTrue();
        answer.join();
        registered.remove("i" + i);
    }

    /** What a node finds under the tags that it owns, by instance. */
    private Map<String, Set<String>> posted(SimulatedNode node) {
        Map<String, Set<String>> posted = new TreeMap<>();
        for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
            for (Held held : node.store.held(bucket, Optional.empty(), cluster.now())) {
                Set<String> owned = new TreeSet<>(held.posted());
                owned.removeIf(entry -> !isOwned(node, entry));
                if (!owned.isEmpty()) {
                    posted.put(held.id().value(), owned);
                }
            }
        }
        return posted;
    }

    private Map<String, Set<String>> wanted(SimulatedNode node) {
        Map<String, Set<String>> wanted = new TreeMap<>();
        registered.forEach((id, entries) -> {
            Set<String> owned = new TreeSet<>(entries);
            owned.removeIf(entry -> !isOwned(node, entry));
            if (!owned.isEmpty()) {
                wanted.put(id, owned);
            }
        });
        return wanted;
    }

    private boolean isOwned(SimulatedNode node, String entry) {
        return entry.startsWith("http")
                && node.cluster.view().futureOwners(entry).contains(node.id);
    }

    private void standStillAndChangeAll(String... stopped) {
        for (String node : stopped) {
            cluster.node(node).process.pause(Duration.ofSeconds(20));
        }
        assertThat(cluster.runUntil(
                        () -> cluster.node("n0").cluster.view().reachable().size() == 6 - stopped.length,
                        Duration.ofSeconds(15)))
                .isTrue();
        long wakesNanos = cluster.nowNanos();
        for (int i = 0; i < INSTANCES; i++) {
            if (i % 3 == 0) {
                deregister(i);
            } else if (i % 3 == 1) {
                register(i, "after");
            }
        }
        assertThat(cluster.nowNanos() - wakesNanos)
                .isLessThan(Duration.ofSeconds(8).toNanos());
        assertThat(cluster.runUntil(
                        () -> cluster.node("n0").cluster.view().reachable().size() == 6, Duration.ofSeconds(20)))
                .isTrue();
        List<String> back = List.of(stopped);
        assertThat(cluster.runUntil(
                        () -> back.stream()
                                .allMatch(node -> cluster.node(node)
                                        .cluster
                                        .self()
                                        .hello(cluster.deadline())
                                        .toCompletableFuture()
                                        .join()
                                        .filled()),
                        Duration.ofSeconds(4)))
                .as("filled before comparison sets in, which waits until rings are settled")
                .isTrue();
    }

    @Test
    void oneThatIsFilledAnewHoldsNothingOfWhatHasMovedOn() {
        standStillAndChangeAll("n3");
        assertThat(posted(cluster.node("n3"))).isEqualTo(wanted(cluster.node("n3")));
    }

    @Test
    void twoThatStoodStillTogetherDoNotConfirmEachOther() {
        standStillAndChangeAll("n3", "n4");
        for (String id : List.of("n3", "n4")) {
            Map<String, Set<String>> posted = posted(cluster.node(id));
            Map<String, Set<String>> wanted = wanted(cluster.node(id));
            posted.keySet().removeIf(instance -> !isKnownToMostHomes(instance));
            wanted.keySet().removeIf(instance -> !isKnownToMostHomes(instance));
            assertThat(wanted).hasSizeGreaterThan(10);
            assertThat(posted).as(id).isEqualTo(wanted);
        }
    }

    /** Where two of three homes stood still, the third alone takes nothing from anybody. */
    private boolean isKnownToMostHomes(String instance) {
        return !cluster.node("n0")
                .cluster
                .view()
                .futureHomes(new InstanceId(instance))
                .containsAll(List.of("n3", "n4"));
    }

    @Test
    void whatIsRegisteredWhileItIsFilledStays() {
        cluster.delayNanosMax = 60 * SimulatedCluster.MILLI;
        cluster.node("n3").process.pause(Duration.ofMillis(600));
        cluster.run(Duration.ofMillis(700));
        for (int i = INSTANCES; i < INSTANCES + 20; i++) {
            register(i, "meanwhile");
        }
        for (int i = 0; i < 20; i++) {
            register(i, "meanwhile");
        }
        assertThat(cluster.runUntil(cluster::allReady, Duration.ofSeconds(5))).isTrue();
        for (SimulatedNode node : cluster.running()) {
            assertThat(posted(node)).as(node.id).isEqualTo(wanted(node));
        }
    }

    @Test
    void nodesThatAllStoodStillTogetherFillEachOtherAndAreWholeAgain() {
        cluster.run(Duration.ofSeconds(5));
        List<SimulatedNode> all = cluster.running();
        all.forEach(node -> node.process.pause(Duration.ofSeconds(3)));
        assertThat(cluster.runUntil(() -> !cluster.allReady(), Duration.ofMillis(3_500)))
                .as("they know that they may have missed something")
                .isTrue();
        assertThat(cluster.runUntil(cluster::allReady, Duration.ofSeconds(5))).isTrue();
        for (SimulatedNode node : all) {
            assertThat(posted(node)).as(node.id).isEqualTo(wanted(node));
        }
    }

    @Test
    void doubtsThatFollowEachOtherDoNotEachCauseAFilling() {
        cluster.run(Duration.ofSeconds(5));
        int before = cluster.firstPages;
        for (int i = 0; i < 10; i++) {
            cluster.node("n3").process.pause(Duration.ofMillis(350));
            cluster.run(Duration.ofMillis(600));
        }
        assertThat(cluster.runUntil(cluster::allReady, Duration.ofSeconds(5))).isTrue();
        // 6 seconds and what follows, from five others each.
        assertThat(cluster.firstPages - before).isBetween(5, 5 * 5);
    }
}
