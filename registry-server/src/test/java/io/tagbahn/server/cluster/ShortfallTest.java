// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.Looked;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.store.StoreLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node that has no room for what it should hold says so to those who ask it. */
class ShortfallTest {

    private static final int INSTANCES = 30;
    /** Two comparisons by the homes of each rank, each an interval and a half at most. */
    private static final Duration COMPARED = Duration.ofSeconds(45);

    private final SimulatedCluster cluster = new SimulatedCluster(1, 3);

    private static StoreLimits limits(int instances, int words) {
        return new StoreLimits(instances, 1_000, 1_000, 1_000_000, 1_000, words);
    }

    private static String tag(int i) {
        return "http://example.org/#" + i;
    }

    private void register(int i) {
        Instance instance =
                Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(new InstanceId("i" + i));
        done(cluster.node("n0")
                .cluster
                .coordinator()
                .register(
                        RegisterCommand.of(new RegisterRequest(
                                instance,
                                List.of(Tag.parse(tag(i))),
                                Optional.of(Duration.ofHours(1)),
                                RegisterMode.REPLACE,
                                OptionalLong.empty())),
                        cluster.deadline())
                .toCompletableFuture());
    }

    private <T> T done(CompletableFuture<T> answer) {
        assertThat(cluster.runUntil(answer::isDone, Duration.ofSeconds(5))).isTrue();
        return answer.join();
    }

    private static List<String> tags() {
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            tags.add(tag(i));
        }
        return tags;
    }

    private boolean saysThatItIsWhole(String id) {
        SimulatedNode node = cluster.node(id);
        List<Looked.Found<io.tagbahn.server.store.Peer>> found = done(node.cluster
                        .self()
                        .lookup(tags(), cluster.deadline())
                        .toCompletableFuture())
                .found();
        boolean whole = found.stream().allMatch(Looked.Found::whole);
        assertThat(found.stream().anyMatch(Looked.Found::whole)).isEqualTo(whole);
        assertThat(done(node.cluster.self().hello(cluster.deadline()).toCompletableFuture())
                        .whole()
                        .isEmpty())
                .isEqualTo(!whole);
        return whole;
    }

    private void startSmall(StoreLimits limits) {
        cluster.startAll(2);
        for (int i = 0; i < INSTANCES; i++) {
            register(i);
        }
        cluster.limits = limits;
        cluster.start(2);
        assertThat(cluster.runUntil(
                        () -> cluster.running().size() == 3
                                && cluster.node("n2").cluster.isReady(),
                        Duration.ofSeconds(30)))
                .isTrue();
    }

    @Test
    void oneThatIsFullCountsAsIncompleteUntilItLacksNothing() {
        startSmall(limits(20, 10));
        assertThat(cluster.node("n2").store.instanceCount()).isEqualTo(20);
        assertThat(saysThatItIsWhole("n2")).isFalse();
        FoundEntries found =
                done(cluster.node("n2").cluster.find(tags(), cluster.deadline()).toCompletableFuture());
        assertThat(found.degraded()).isFalse();
        assertThat(found.peers()).allSatisfy(peers -> assertThat(peers).hasSize(1));

        cluster.run(COMPARED);
        assertThat(saysThatItIsWhole("n2")).as("while it is full").isFalse();

        for (int i = 0; i < 15; i++) {
            done(cluster.node("n0")
                    .cluster
                    .coordinator()
                    .deregister(new LeaseRef(new InstanceId("i" + i), 0), cluster.deadline())
                    .toCompletableFuture());
        }
        assertThat(saysThatItIsWhole("n2"))
                .as("before it was given what it lacks")
                .isFalse();
        assertThat(cluster.runUntil(() -> saysThatItIsWhole("n2"), COMPARED)).isTrue();
        assertThat(cluster.node("n2").store.instanceCount()).isEqualTo(15);
    }

    @Test
    void oneThatHasNoRoomForOperatorsWordsCountsAsIncomplete() {
        cluster.limits = limits(1_000, 10);
        startSmall(limits(1_000, 1));
        assertThat(saysThatItIsWhole("n2")).isTrue();
        for (int i = 0; i < 2; i++) {
            done(cluster.node("n0")
                    .cluster
                    .coordinator()
                    .setStatus(new InstanceId("i" + i), InstanceStatus.OUT_OF_SERVICE, "", cluster.deadline())
                    .toCompletableFuture());
        }
        assertThat(saysThatItIsWhole("n2")).isFalse();
    }

    @Test
    void onlyComparisonsByMembersAndByRanksThatThereAreCount() {
        Shortfall shortfall = new Shortfall(2);
        shortfall.refused();
        for (int i = 0; i < 3; i++) {
            shortfall.compared("stranger", 0, shortfall.refusals(), true, Set.of("a"));
            shortfall.compared("a", 0, shortfall.refusals(), true, Set.of("a"));
            shortfall.compared("a", 7, shortfall.refusals(), true, Set.of("a"));
        }
        assertThat(shortfall.isLacking()).isTrue();
        shortfall.compared("a", 1, shortfall.refusals(), true, Set.of("a"));
        assertThat(shortfall.isLacking()).isFalse();
    }

    @Test
    void firstComparisonAfterARefusalDoesNotCount() {
        Shortfall shortfall = new Shortfall(1);
        shortfall.refused();
        long refusals = shortfall.refusals();
        shortfall.compared("a", 0, refusals, true, Set.of("a", "b"));
        shortfall.compared("b", 0, refusals, true, Set.of("a", "b"));
        assertThat(shortfall.isLacking()).isTrue();
        shortfall.compared("a", 0, refusals, true, Set.of("a", "b"));
        assertThat(shortfall.isLacking()).isTrue();
        shortfall.refused();
        shortfall.compared("b", 0, refusals, true, Set.of("a", "b"));
        assertThat(shortfall.isLacking()).as("begun before the last refusal").isTrue();
        for (String other : List.of("a", "b", "b", "a")) {
            assertThat(shortfall.isLacking()).isTrue();
            shortfall.compared(other, 0, shortfall.refusals(), true, Set.of("a", "b"));
        }
        assertThat(shortfall.isLacking()).isFalse();
    }
}
