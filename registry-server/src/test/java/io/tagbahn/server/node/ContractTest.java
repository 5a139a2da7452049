// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.LeaseGrant;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nodes do under load, asked over Thrift. */
class ContractTest {

    private static final String TAG = "http://example.org/tags#wanted";
    private static final int CALLERS = 16;
    private static final Duration LEASE = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private TestingCluster cluster = new TestingCluster(Path.of(""), 1, Map.of());

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void start(int replicas, Map<String, String> settings, String... ids) {
        cluster = new TestingCluster(folder, replicas, settings);
        cluster.start(ids);
    }

    private LeaseGrant register() {
        return cluster.at(cluster.ids().get(0))
                .register(new RegisterQuery(TestingCaller.instance("i", "service", "10.0.0.1", 80), List.of(TAG))
                        .setLeaseMillis(LEASE.toMillis()));
    }

    private long counted(String node, String counter) {
        return cluster.node(node).counters().join().getOrDefault(counter, 0L);
    }

    @Test
    void whatIsAskedForMostIsReadFromAllItsOwners() {
        Map<String, String> two = Map.of("cluster.replicas", "2");
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            List<String> all = List.of("a", "b", "c", "d");
            for (String id : all) {
                nodes.start(
                        id,
                        "127.0.0.1:0",
                        id.equals("a") ? two : Map.of("cluster.replicas", "2", "cluster.seeds", nodes.address("a")));
            }
            nodes.awaitAgreement();
            List<String> owners;
            try (TestingCaller caller = nodes.caller("a")) {
                caller.register(new RegisterQuery(TestingCaller.instance("i", "service", "10.0.0.1", 80), List.of(TAG))
                        .setLeaseMillis(LEASE.toMillis()));
                owners = caller.owners(TAG);
            }
            assertThat(owners).hasSize(2);
            String asked = all.stream()
                    .filter(node -> !owners.contains(node))
                    .findFirst()
                    .orElseThrow();
            List<Long> before = peerCalls(nodes, owners);
            int calls;
            try (TestingCaller caller = nodes.caller(asked)) {
                calls = askAtOnce(caller);
            }
            List<Long> after = peerCalls(nodes, owners);
            for (int i = 0; i < 2; i++) {
                assertThat(after.get(i) - before.get(i))
                        .as("%s of %d", owners.get(i), calls)
                        .isGreaterThan(calls / 10);
            }
        }
    }

    private static List<Long> peerCalls(GossipingNodes nodes, List<String> ids) {
        return ids.stream()
                .map(id -> nodes.node(id).counters().join().getOrDefault("peer.calls", 0L))
                .toList();
    }

    /** Several callers ask for the tag as often as they can; the first second or two, it is not known to be hot. */
    private static int askAtOnce(TestingCaller caller) {
        AtomicInteger calls = new AtomicInteger();
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            CompletableFuture.allOf(IntStream.range(0, CALLERS)
                            .mapToObj(number -> CompletableFuture.runAsync(
                                    () -> {
                                        while (calls.incrementAndGet() < 8_000 && System.nanoTime() < endNanos) {
                                            assertThat(caller.tagDiscover(TAG)).containsKey(TAG);
                                        }
                                    },
                                    callers))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            callers.shutdownNow();
        }
        return calls.get();
    }

    @Test
    void aCallerHasOneQuotaAtAllNodes() {
        start(2, Map.of("quota.calls-per-second", "50", "quota.burst", "50"), "a", "b", "c");
        LeaseGrant grant = register();
        TagDiscoveryQuery query = new TagDiscoveryQuery(List.of(TAG)).setContext(new CallContext().setCaller("greedy"));
        int let = 0;
        int refused = 0;
        long startNanos = System.nanoTime();
        long endNanos = startNanos + TimeUnit.SECONDS.toNanos(4);
        for (int i = 0; System.nanoTime() < endNanos; i++) {
            try {
                assertThat(cluster.at(cluster.ids().get(i % 3)).asksOnce().tagDiscover(query))
                        .containsKey(TAG);
                let++;
            } catch (Overloaded e) {
                assertThat(e.signal()).isEqualTo(Signal.RETRY_AFTER);
                refused++;
            }
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        // Its rate, its burst, and what nodes give a caller before they have heard of its account.
        assertThat(let).as("refused %d", refused).isLessThan((int) (50 * seconds) + 2 * 50 + 30);
        assertThat(refused).isPositive();
        assertThat(cluster.at("a").tagDiscover(new TagDiscoveryQuery(List.of(TAG))))
                .containsKey(TAG);
        assertThat(cluster.at("b")
                        .heartbeat(new LeaseRef("i", grant.getGeneration()))
                        .getUnknown())
                .isEmpty();
        long counted = cluster.ids().stream()
                .mapToLong(node -> counted(node, "admission.over-quota.normal"))
                .sum();
        assertThat(counted).isEqualTo(refused);
    }

    @Test
    void whatWasLetInIsCounted() {
        start(1, Map.of(), "a");
        LeaseGrant grant = register();
        cluster.at("a").tagDiscover(TAG);
        cluster.at("a").heartbeat(new LeaseRef("i", grant.getGeneration()));
        assertThat(counted("a", "admission.admitted.normal")).isEqualTo(1);
        assertThat(counted("a", "admission.admitted.critical")).isEqualTo(2);
        assertThat(counted("a", "admission.shed.normal")).isZero();
    }
}
