// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static io.tagbahn.server.node.TestingCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.RegistryException;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.LeaseGrant;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.thrift.TagDiscoveryResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong around nodes of a cluster, and what callers see of it. */
class ClusterFaultsTest {

    private static final int INSTANCES = 12;
    private static final int TAGS = 25;
    /** Longer than any test takes: nobody sends heartbeats. */
    private static final Duration LEASE = Duration.ofHours(1);
    /** Of who looks things up all the time; what a call to a node that is gone costs the test. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private TestingCluster cluster = new TestingCluster(Path.of(""), 1, Map.of());

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void start(int replicas, Map<String, String> more, String... ids) {
        cluster = new TestingCluster(folder, replicas, more);
        cluster.start(ids);
    }

    private static String tag(int i) {
        return "http://example.org/tags#" + i;
    }

    private static List<String> tags(int instance) {
        List<String> tags = new ArrayList<>();
        for (int tag = 0; tag < TAGS; tag++) {
            tags.add(tag(instance * TAGS + tag));
        }
        return tags;
    }

    private LeaseGrant register(TestingCaller caller, int i) {
        return caller.register(new RegisterQuery(instance("i" + i, "s", "10.0.0." + (i + 1), 80), tags(i))
                .setLeaseMillis(LEASE.toMillis()));
    }

    private Map<String, LeaseGrant> registerAll() {
        Map<String, LeaseGrant> grants = new HashMap<>();
        List<String> ids = cluster.ids();
        for (int i = 0; i < INSTANCES; i++) {
            grants.put("i" + i, register(cluster.at(ids.get(i % ids.size())), i));
        }
        return grants;
    }

    private TagDiscoveryResult found(TestingCaller caller, int instance) {
        return caller.tagDiscoverResult(new TagDiscoveryQuery(tags(instance))
                .setContext(new CallContext().setDeadlineMillis(PATIENCE.toMillis())));
    }

    private void assertAllFoundEverywhere() {
        for (String node : cluster.ids()) {
            for (int i = 0; i < INSTANCES; i++) {
                assertThat(found(cluster.at(node), i).getPeers())
                        .as("through " + node)
                        .containsOnlyKeys(tags(i));
            }
        }
    }

    /** Looks up all tags at each node in turn, over and over, and notes what is wrong. */
    private final class Watch implements AutoCloseable {
        private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private final Map<String, InetSocketAddress> watched = new ConcurrentHashMap<>();
        private final Thread thread = new Thread(this::look, "watch");
        private volatile boolean over;

        Watch() {
            cluster.ids().forEach(this::begin);
            thread.start();
        }

        void begin(String node) {
            watched.put(node, cluster.node(node).address());
        }

        private void look() {
            Map<InetSocketAddress, TestingCaller> callers = new HashMap<>();
            try {
                for (int round = 0; !over; round++) {
                    for (Map.Entry<String, InetSocketAddress> node : watched.entrySet()) {
                        TestingCaller caller = callers.computeIfAbsent(
                                node.getValue(), address -> new TestingCaller(address, PATIENCE));
                        look(node.getKey(), node.getValue(), caller, round % INSTANCES);
                    }
                    rounds.incrementAndGet();
                }
            } finally {
                callers.values().forEach(TestingCaller::close);
            }
        }

        private void look(String node, InetSocketAddress address, TestingCaller caller, int instance) {
            try {
                check(node, tags(instance), "i" + instance, found(caller, instance));
            } catch (NoPeersAvailable e) {
                wrong.add(node + " has nothing of " + instance);
            } catch (RegistryException e) {
                failures.incrementAndGet();
                if (!(e instanceof NotReady)) {
                    watched.remove(node, address); // it was stopped
                }
            }
        }

        private void check(String node, List<String> asked, String expected, TagDiscoveryResult result) {
            result.getPeers().forEach((tag, peers) -> {
                for (ServicePeer peer : peers) {
                    if (!peer.getInstance().getId().equals(expected)) {
                        wrong.add(node + " finds " + peer + " under " + tag);
                    }
                }
            });
            if (!result.isDegraded() && !result.getPeers().keySet().containsAll(asked)) {
                TreeSet<String> missing = new TreeSet<>(asked);
                missing.removeAll(result.getPeers().keySet());
                wrong.add(node + " misses " + missing);
            }
        }

        /** Waits until each node that is watched has answered for all instances. */
        void goOn() {
            int before = rounds.get();
            await().atMost(Duration.ofMinutes(2)).until(() -> rounds.get() > before + INSTANCES);
        }

        @Override
        public void close() {
            end();
        }

        void end() {
            over = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void noAnswerIsEmptyOrWrongWhileNodesAreKilledRestartedJoinAndLeave() {
        start(2, Map.of(), "a", "b", "c", "d");
        registerAll();
        try (Watch watch = new Watch()) {
            watch.goOn();
            cluster.silence("b");
            watch.goOn();
            cluster.forget("b");
            watch.goOn();
            cluster.start("b");
            watch.begin("b");
            cluster.leave("a");
            watch.goOn();
            cluster.start("a");
            watch.begin("a");
            cluster.start("e");
            watch.begin("e");
            watch.goOn();
            watch.end();
            assertThat(watch.wrong).isEmpty();
            // A node that is stopped under its caller says so once, and is gone the next time; no other call fails.
            assertThat(watch.failures.get()).isLessThanOrEqualTo(2 * 2);
        }
    }

    @Test
    void noAnswerIsEmptyOrWrongWhileNodesWithTheOnlyCopiesJoinAndLeave() {
        start(1, Map.of(), "a", "b", "c");
        registerAll();
        try (Watch watch = new Watch()) {
            watch.goOn();
            cluster.start("d");
            watch.begin("d");
            watch.goOn();
            cluster.leave("a");
            watch.goOn();
            watch.end();
            assertThat(watch.wrong).isEmpty();
            assertThat(watch.failures.get()).isLessThanOrEqualTo(2);
        }
    }

    /** FF-10: all nodes end together, and come back with nothing while services go on. */
    @Test
    void heartbeatsBringEverythingBackAfterAllNodesCameBackEmpty() {
        start(2, Map.of(), "a", "b", "c");
        Map<String, LeaseGrant> grants = registerAll();
        List.of("a", "b", "c").forEach(cluster::kill);
        cluster.start("a", "b", "c");

        int registeredAgain = 0;
        for (int i = 0; i < INSTANCES; i++) {
            TestingCaller caller = cluster.at(cluster.ids().get(i % 3));
            LeaseGrant grant = Objects.requireNonNull(grants.get("i" + i));
            LeaseRef lease = new LeaseRef("i" + i, grant.getGeneration());
            // Told in so many words, in the first heartbeat.
            if (caller.heartbeat(lease).getUnknown().equals(List.of(lease))) {
                register(caller, i);
                registeredAgain++;
            }
        }
        assertThat(registeredAgain).isEqualTo(INSTANCES);
        assertAllFoundEverywhere();
    }

    /**
     * FF-07: a member that takes connections and never answers is not waited for once it is noticed, and what is kept
     * for it is bounded.
     */
    @Test
    void memberThatNeverAnswersIsNotWaitedFor() throws IOException {
        start(2, Map.of("cluster.peer-timeout", "2s"), "a", "b", "c");
        try (ServerSocket stuck = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            cluster.believeIn("z", HostPort.parse("127.0.0.1:" + stuck.getLocalPort()));
            eventually(() -> cluster.at("a").members(null).size() == 4);
            // Each node finds out by itself.
            cluster.ids()
                    .forEach(node -> eventually(() -> {
                        long begunNanos = System.nanoTime();
                        for (int i = 0; i < INSTANCES; i++) {
                            register(cluster.at(node), i);
                        }
                        return System.nanoTime() - begunNanos
                                < Duration.ofSeconds(2).toNanos();
                    }));
            assertAllFoundEverywhere();
        }
    }

    @Test
    void connectionThatIsLostIsReportedToTheMembership() {
        start(2, Map.of(), "a", "b", "c");
        registerAll();
        cluster.silence("b");
        for (int i = 0; i < INSTANCES; i++) {
            register(cluster.at("a"), i);
        }

        eventually(() -> cluster.lost().contains("b"));
        assertThat(cluster.lost()).doesNotContain("a", "c");
    }
}
