// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.watch.WatchHub;
import io.tagbahn.server.watch.WatchTarget;
import io.tagbahn.server.watch.WatchTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers that wait for answers to change, in virtual time, while messages get lost and are made good late. */
class WatchSimulationTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static WatchHub hub(SimulatedCluster cluster, SimulatedNode at) {
        return hub(cluster, at, WatchTerms.defaults());
    }

    private static WatchHub hub(SimulatedCluster cluster, SimulatedNode at, WatchTerms terms) {
        return new WatchHub(at.cluster, terms, cluster::nowNanos, (delay, task) -> {
            boolean[] cancelled = new boolean[1];
            cluster.at(delay, () -> {
                if (!cancelled[0]) {
                    at.process.run(task);
                }
            });
            return () -> cancelled[0] = true;
        });
    }

    private static RegisterRequest request(int i, String tag, Map<String, String> metadata) {
        return new RegisterRequest(
                Instance.of(new ServiceName("s" + i), HostPort.parse("10.0.0.1:80"))
                        .withId(new InstanceId("i" + i))
                        .withMetadata(metadata),
                List.of(Tag.parse(tag)),
                Optional.of(Duration.ofHours(1)),
                RegisterMode.REPLACE,
                OptionalLong.empty());
    }

    private static void register(SimulatedCluster cluster, int i, String tag) {
        cluster.node("n0")
                .cluster
                .coordinator()
                .register(RegisterCommand.of(request(i, tag, Map.of())), cluster.deadline());
        cluster.run(Duration.ofMillis(200));
    }

    private static String tag(int i) {
        return "http://example.org/#" + i;
    }

    /** A tag of which this node is, or isn't, the only owner. */
    private static String tagOwned(SimulatedCluster cluster, String node, boolean owned) {
        for (int i = 0; ; i++) {
            String spelling = Tag.parse(tag(i)).spelling();
            if (cluster.node("n0").cluster.view().owners(spelling).contains(node) == owned) {
                return spelling;
            }
        }
    }

    private static CompletableFuture<WatchHub.Told> watch(
            WatchHub hub, WatchTarget target, Optional<String> token, Duration wait) {
        return hub.watch(target, token, wait, PATIENCE).toCompletableFuture();
    }

    private static String first(SimulatedCluster cluster, WatchHub hub, WatchTarget target) {
        CompletableFuture<WatchHub.Told> told = watch(hub, target, Optional.empty(), LONG);
        cluster.run(Duration.ofSeconds(1));
        return done(told).token();
    }

    private static <T> T done(CompletableFuture<T> future) {
        assertThat(future).isDone();
        return future.join();
    }

    private static Throwable failure(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.<Throwable>handle((value, error) -> error).join();
    }

    private static SimulatedCluster started(int replicas, int nodes) {
        SimulatedCluster cluster = new SimulatedCluster(1, replicas);
        cluster.startAll(nodes);
        cluster.run(Duration.ofSeconds(20));
        return cluster;
    }

    @Test
    void readerOfACompleteAnswerIsNotToldOneThatLacksSomethingForAMomentAtAnotherNode() {
        SimulatedCluster cluster = started(1, 3);
        String mine = tagOwned(cluster, "n0", true);
        String theirs = tagOwned(cluster, "n0", false);
        register(cluster, 1, mine);
        register(cluster, 2, theirs);
        WatchTarget target = new WatchTarget.Entries(List.of(mine, theirs));
        String token = first(cluster, hub(cluster, cluster.node("n1")), target);
        WatchHub next = hub(cluster, cluster.node("n0"));
        cluster.loss = 1;
        CompletableFuture<WatchHub.Told> told = watch(next, target, Optional.of(token), LONG);
        CompletableFuture<WatchHub.Told> newcomer = watch(next, target, Optional.empty(), LONG);
        cluster.run(Duration.ofMillis(5_100)); // one question has failed, the next is not asked yet
        assertThat(told).isNotDone();
        assertThat(done(newcomer).answer().orElseThrow().degraded()).isTrue();
        cluster.loss = 0;
        cluster.run(LONG);
        assertThat(done(told)).isEqualTo(new WatchHub.Told(token, Optional.empty()));
    }

    @Test
    void nothingKnownIsNoAnswer() {
        SimulatedCluster cluster = started(1, 3);
        String theirs = tagOwned(cluster, "n0", false);
        register(cluster, 1, theirs);
        WatchTarget target = new WatchTarget.Entries(List.of(theirs));
        WatchHub hub = hub(cluster, cluster.node("n0"));
        String token = first(cluster, hub, target);
        cluster.loss = 1;
        CompletableFuture<WatchHub.Told> told = watch(hub, target, Optional.of(token), LONG);
        CompletableFuture<WatchHub.Told> newcomer =
                watch(hub(cluster, cluster.node("n0")), target, Optional.empty(), LONG);
        cluster.run(Duration.ofSeconds(12));
        assertThat(failure(newcomer)).isInstanceOf(NotReady.class);
        assertThat(told).as("perhaps it can be had in the time that is left").isNotDone();
        cluster.run(Duration.ofSeconds(4));
        assertThat(failure(told)).as("whether it is unchanged is not known").isInstanceOf(NotReady.class);
    }

    @Test
    void whatCanNeverBeAskedIsToldToThoseWhoHoldAnAnswer() {
        SimulatedCluster cluster = started(1, 1);
        WatchTarget target =
                new WatchTarget.Meant(MatchQuery.of(TagPattern.parse("http://example.org/#c")), Optional.empty());
        WatchHub hub = hub(cluster, cluster.node("n0"));
        register(cluster, 0, "http://example.org/#c");
        String token = first(cluster, hub, target);
        Map<String, String> metadata = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            metadata.put("k" + i, "v".repeat(1_000));
        }
        Coordinator coordinator = cluster.node("n0").cluster.coordinator();
        for (int i = 1; i < 60; i++) {
            coordinator.register(RegisterCommand.of(request(i, "http://example.org/#c", metadata)), cluster.deadline());
        }
        CompletableFuture<WatchHub.Told> told = watch(hub, target, Optional.of(token), LONG);
        cluster.run(Duration.ofSeconds(2));
        assertThat(failure(told)).isInstanceOf(InvalidArgument.class);
    }

    @Test
    void changeThatTheNearestOwnerHearsOfLateIsNotMissed() {
        SimulatedCluster cluster = started(2, 5);
        ClusterView view = cluster.node("n0").cluster.view();
        Set<String> followed = view.listed().get(0).cover(Set.of()).nodes();
        int i = 0;
        List<String> owners = List.of();
        while (owners.isEmpty() || owners.contains("n0") || followed.contains(owners.get(0))) {
            owners = view.owners(Tag.parse(tag(++i)).spelling());
        }
        assertThat(followed).contains(owners.get(1));
        WatchHub hub = hub(cluster, cluster.node("n0"));
        WatchTarget target = new WatchTarget.Entries(List.of(Tag.parse(tag(i)).spelling()));
        String token = first(cluster, hub, target);
        CompletableFuture<WatchHub.Told> told = watch(hub, target, Optional.of(token), LONG);
        cluster.lateAt.put(owners.get(0), Duration.ofSeconds(2));
        cluster.node(owners.get(1))
                .cluster
                .coordinator()
                .register(RegisterCommand.of(request(1, tag(i), Map.of())), cluster.deadline());
        cluster.run(Duration.ofSeconds(5));
        assertThat(done(told).token()).isNotEqualTo(token);
    }

    @Test
    void questionsTakeNoMoreThanTheirBytesAndMakeRoomOnceNobodyWaits() {
        SimulatedCluster cluster = started(1, 1);
        WatchHub hub = hub(cluster, cluster.node("n0"), new WatchTerms(1_000, 20_000, 1_000, 1_000, 100_000));
        List<CompletableFuture<WatchHub.Told>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(watch(hub, new WatchTarget.Entries(List.of(tag(i))), Optional.of("mine"), Duration.ZERO));
        }
        cluster.run(Duration.ofSeconds(1));
        assertThat(all.stream().filter(CompletableFuture::isCompletedExceptionally))
                .as("20,000 bytes are enough for some, and not for all")
                .hasSizeBetween(20, 80)
                .allSatisfy(refused -> assertThat(failure(refused)).isInstanceOf(Overloaded.class));
        cluster.run(Duration.ofSeconds(20));
        WatchTarget late = new WatchTarget.Entries(List.of(tag(99)));
        assertThat(first(cluster, hub, late)).isNotEmpty();
    }

    @Test
    void answerForWhichThereIsNoRoomIsToldToAllTheSame() {
        SimulatedCluster cluster = started(1, 1);
        WatchHub hub = hub(cluster, cluster.node("n0"), new WatchTerms(1_000, 2_000, 1_000, 1_000, 100_000));
        WatchTarget target = new WatchTarget.Entries(List.of(Tag.parse(tag(1)).spelling()));
        String nobody = first(cluster, hub, target);
        cluster.node("n0")
                .cluster
                .coordinator()
                .register(RegisterCommand.of(request(1, tag(1), Map.of("k", "v".repeat(10_000)))), cluster.deadline());
        String somebody = first(cluster, hub, target);
        assertThat(somebody).isNotEqualTo(nobody);
        assertThat(first(cluster, hub, target)).isEqualTo(somebody);
        CompletableFuture<WatchHub.Told> told = watch(hub, target, Optional.of(somebody), LONG);
        cluster.node("n0")
                .cluster
                .coordinator()
                .register(RegisterCommand.of(request(1, tag(1), Map.of())), cluster.deadline());
        cluster.run(Duration.ofSeconds(1));
        assertThat(done(told).token()).isNotIn(nobody, somebody);
    }

    @Test
    void whoComesWhenTheNodeStopsIsToldSo() {
        SimulatedCluster cluster = started(1, 1);
        WatchHub hub = hub(cluster, cluster.node("n0"));
        WatchTarget target = new WatchTarget.Entries(List.of(tag(1)));
        CompletableFuture<WatchHub.Told> before = watch(hub, target, Optional.empty(), LONG);
        CompletableFuture<Boolean> entries =
                hub.awaitEntries(hub.entriesVersion(), LONG).toCompletableFuture();
        Thread.currentThread().interrupt(); // virtual time goes on in this thread only: nobody may wait here
        hub.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure(watch(hub, target, Optional.empty(), LONG))).isInstanceOf(NotReady.class);
        cluster.run(Duration.ofMillis(10));
        assertThat(failure(before)).isInstanceOf(NotReady.class);
        assertThat(failure(entries)).isInstanceOf(NotReady.class);
    }

    /** Reads on and on, at one node. */
    private static final class Reader {
        private final WatchHub hub;
        private final WatchTarget target;
        private Optional<String> token = Optional.empty();

        Reader(WatchHub hub, WatchTarget target) {
            this.hub = hub;
            this.target = target;
        }

        void read() {
            CompletionStage<WatchHub.Told> call = hub.watch(target, token, LONG, PATIENCE);
            call.whenComplete((told, error) -> {
                if (error == null) {
                    token = Optional.of(told.token());
                }
                read();
            });
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void readersKnowInTheEndWhatThereIs(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, 2);
        cluster.startAll(4);
        cluster.run(Duration.ofSeconds(20));
        WatchHub hub = hub(cluster, cluster.node("n0"));
        Map<Integer, Reader> readers = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            readers.put(
                    i,
                    new Reader(
                            hub,
                            new WatchTarget.Entries(List.of(Tag.parse(tag(i)).spelling()))));
        }
        readers.values().forEach(Reader::read);
        cluster.run(Duration.ofSeconds(1));
        cluster.loss = 0.2;
        Map<Integer, Long> generations = new HashMap<>();
        for (int step = 0; step < 100; step++) {
            int i = cluster.random.nextInt(30);
            Coordinator coordinator = cluster.node("n1").cluster.coordinator();
            Long generation = generations.remove(i);
            if (generation == null) {
                coordinator
                        .register(RegisterCommand.of(request(i, tag(i), Map.of())), cluster.deadline())
                        .thenAccept(written -> generations.put(i, written.generation()));
            } else {
                coordinator.deregister(new LeaseRef(new InstanceId("i" + i), generation), cluster.deadline());
            }
            cluster.run(Duration.ofMillis(100));
        }
        cluster.loss = 0;
        cluster.run(Duration.ofSeconds(45)); // what got lost is made good
        readers.forEach((i, reader) -> assertThat(reader.token)
                .as("seed %d, tag %d", seed, i)
                .hasValue(first(cluster, hub(cluster, cluster.node("n0")), reader.target)));
    }
}
