// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static io.tagbahn.server.node.TestingCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.InstanceStatus;
import io.tagbahn.thrift.LeaseGrant;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.RegisterMode;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.ServiceNamesResult;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.thrift.TagDiscoveryResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that form a cluster, asked over Thrift. */
class ClusterTest {

    /** Longer than any test takes: nobody sends heartbeats. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final int INSTANCES = 30;
    private static final int TAGS = 12;

    @TempDir
    private Path folder;

    private TestingCluster cluster = new TestingCluster(Path.of(""), 1, Map.of());

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void start(int replicas, String... ids) {
        cluster = new TestingCluster(folder, replicas, Map.of());
        cluster.start(ids);
    }

    private static long generation(Map<String, LeaseGrant> grants, String id) {
        return Objects.requireNonNull(grants.get(id), id).getGeneration();
    }

    private static String tag(int instance, int tag) {
        // Half of the tags are shared with other instances.
        return "http://example.org/tags#" + (tag % 2 == 0 ? "shared" + tag : "i" + instance + "t" + tag);
    }

    private static List<String> tags(int instance) {
        List<String> tags = new ArrayList<>();
        for (int tag = 0; tag < TAGS; tag++) {
            tags.add(tag(instance, tag));
        }
        return tags;
    }

    private Map<String, LeaseGrant> registerAll() {
        Map<String, LeaseGrant> grants = new HashMap<>();
        List<String> ids = cluster.ids();
        for (int i = 0; i < INSTANCES; i++) {
            grants.put("i" + i, register(ids.get(i % ids.size()), i));
        }
        return grants;
    }

    private LeaseGrant register(String node, int i) {
        return cluster.at(node)
                .register(new RegisterQuery(instance("i" + i, "service" + i % 3, "10.0.0." + (i + 1), 80), tags(i))
                        .setLeaseMillis(LEASE.toMillis()));
    }

    private Map<String, List<ServicePeer>> whole(String node, Collection<String> tags) {
        TagDiscoveryResult result = cluster.at(node)
                .tagDiscoverResult(new TagDiscoveryQuery(List.copyOf(tags))
                        .setContext(new CallContext().setDeadlineMillis(10_000)));
        assertThat(result.isDegraded()).as("incomplete through " + node).isFalse();
        return result.getPeers();
    }

    private List<String> wholeListing(String node) {
        List<String> names = new ArrayList<>();
        @Nullable String cursor = "";
        while (cursor != null) {
            ServiceNamesResult page = cluster.at(node)
                    .serviceNames(new ServiceNamesQuery()
                            .setLimit(37)
                            .setCursor(cursor)
                            .setContext(new CallContext().setDeadlineMillis(10_000)));
            assertThat(page.isDegraded()).as("incomplete through " + node).isFalse();
            names.addAll(page.getServiceNames());
            cursor = page.getNextCursor();
        }
        return names;
    }

    /** Every entry asked through a node, against what was registered. */
    private void assertAllFoundAt(String node, int instances) {
        Map<String, TreeSet<String>> expected = new HashMap<>();
        for (int i = 0; i < instances; i++) {
            for (String tag : tags(i)) {
                expected.computeIfAbsent(tag, name -> new TreeSet<>()).add("i" + i);
            }
            expected.computeIfAbsent("service" + i % 3, name -> new TreeSet<>()).add("i" + i);
        }
        Map<String, List<ServicePeer>> found = whole(node, expected.keySet());
        Map<String, TreeSet<String>> actual = new HashMap<>();
        found.forEach((tag, peers) -> {
            TreeSet<String> ids = new TreeSet<>();
            peers.forEach(peer -> ids.add(peer.getInstance().getId()));
            actual.put(tag, ids);
            assertThat(peers).as(tag).hasSameSizeAs(ids);
        });
        assertThat(actual).as("through " + node).isEqualTo(expected);
        assertThat(wholeListing(node)).isEqualTo(List.copyOf(new TreeSet<>(expected.keySet())));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void whatIsRegisteredIsFoundThroughEveryNodeAtOnce(int replicas) {
        start(replicas, "a", "b", "c", "d", "e");

        for (int i = 0; i < INSTANCES; i++) {
            LeaseGrant grant = register(cluster.ids().get(i % 5), i);
            assertThat(grant.getCopiesMade()).isEqualTo(3);
            assertThat(grant.getCopiesWanted()).isEqualTo(3);
            String through = cluster.ids().get((i + 1) % 5);
            assertThat(whole(through, tags(i))).hasSize(TAGS);
        }
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void allButOneOwnerMayFailTogether(int replicas) {
        start(replicas, "a", "b", "c", "d", "e");
        registerAll();

        List<String> killed = List.of("b", "d").subList(0, replicas - 1);
        killed.forEach(cluster::silence);
        // Before anybody has noticed: the others answer for them.
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
        killed.forEach(cluster::forget);
        // While the survivors take over.
        for (int round = 0; round < 10; round++) {
            cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
        }
        cluster.start(killed.toArray(String[]::new));
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
    }

    @Test
    void nodeThatJoinsIsReadOnlyOnceItIsFilled() {
        start(1, "a", "b");
        registerAll();

        cluster.begin("c");
        while (!cluster.node("c").status().ready()) {
            assertAllFoundAt("a", INSTANCES);
            assertAllFoundAt("c", INSTANCES);
        }
        for (int round = 0; round < 30; round++) {
            assertAllFoundAt(cluster.ids().get(round % 3), INSTANCES);
        }
        assertThat(cluster.node("c").status().tags()).isPositive();
    }

    @Test
    void nodeThatLeavesHandsOverTheOnlyCopies() {
        start(1, "a", "b", "c", "d");
        registerAll();

        cluster.leave("b");
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
        cluster.leave("a");
        cluster.leave("c");
        assertAllFoundAt("d", INSTANCES);
    }

    @Test
    void deregisteredInstanceIsGoneEverywhereAtOnceAndStaysOut() {
        start(2, "a", "b", "c", "d");
        Map<String, LeaseGrant> grants = registerAll();
        String last = "i" + (INSTANCES - 1);
        long generation = generation(grants, last);

        cluster.at("a").deregister(last, generation);

        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES - 1));
        assertThatThrownBy(() -> cluster.at("b")
                        .register(new RegisterQuery(instance(last, "service0", "10.0.0.9", 80), tags(INSTANCES - 1))
                                .setGeneration(generation)))
                .isInstanceOf(StaleGeneration.class);
        assertThat(cluster.at("c").heartbeat(new LeaseRef(last, generation)).getUnknown())
                .hasSize(1);
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES - 1));
    }

    @Test
    void deregistrationThatANodeMissedReachesItLater() {
        start(2, "a", "b", "c");
        Map<String, LeaseGrant> grants = registerAll();
        cluster.at("a").deregister("i" + (INSTANCES - 1), 0);
        cluster.kill("c");
        cluster.at("b").deregister("i" + (INSTANCES - 2), generation(grants, "i" + (INSTANCES - 2)));
        cluster.start("c");

        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES - 2));
    }

    @Test
    void generationThatIsRegisteredIsRefusedByEveryNodeAlsoWithTheSameData() {
        start(2, "a", "b", "c", "d", "e");
        LeaseGrant grant = register("a", 0);
        var instance = instance("i0", "service0", "10.0.0.1", 80);

        for (String node : cluster.ids()) {
            assertThatThrownBy(() -> cluster.at(node)
                            .register(new RegisterQuery(instance, tags(0)).setGeneration(grant.getGeneration())))
                    .isInstanceOfSatisfying(
                            StaleGeneration.class,
                            stale -> assertThat(stale.current()).isEqualTo(grant.getGeneration()));
            assertThatThrownBy(() -> cluster.at(node)
                            .register(new RegisterQuery(instance.deepCopy().setPort(81), List.of("other"))
                                    .setGeneration(grant.getGeneration() - 1)))
                    .isInstanceOf(StaleGeneration.class);
        }
        cluster.ids().forEach(node -> assertAllFoundAt(node, 1));
    }

    @Test
    void partsOfOneGenerationUniteWhateverNodesTheyArriveAt() {
        start(2, "a", "b", "c", "d", "e");
        var instance = instance("i", "s", "10.0.0.1", 80);
        long generation = cluster.at("a").register(instance, "t0").getGeneration();
        TreeSet<String> expected = new TreeSet<>(Set.of("s", "t0"));
        List<CompletableFuture<LeaseGrant>> parts = new ArrayList<>();
        for (int part = 1; part <= 20; part++) {
            String tag = "t" + part;
            expected.add(tag);
            String node = cluster.ids().get(part % 5);
            parts.add(CompletableFuture.supplyAsync(() -> cluster.at(node)
                    .register(new RegisterQuery(instance, List.of(tag))
                            .setMode(RegisterMode.ADD)
                            .setGeneration(generation))));
        }
        parts.forEach(CompletableFuture::join);

        for (String node : cluster.ids()) {
            assertThat(wholeListing(node)).containsExactlyElementsOf(expected);
            assertThat(whole(node, expected)).containsOnlyKeys(expected);
        }
    }

    @Test
    void partsWithoutAGenerationThatArriveTogetherAreAllKept() {
        start(2, "a", "b", "c", "d", "e");
        var instance = instance("i", "s", "10.0.0.1", 80);
        cluster.at("a").register(instance, "t0");
        List<CompletableFuture<LeaseGrant>> parts = new ArrayList<>();
        for (int part = 1; part <= 20; part++) {
            String tag = "t" + part;
            String node = cluster.ids().get(part % 5);
            parts.add(CompletableFuture.supplyAsync(() ->
                    cluster.at(node).register(new RegisterQuery(instance, List.of(tag)).setMode(RegisterMode.ADD))));
        }
        parts.forEach(CompletableFuture::join);

        cluster.ids().forEach(node -> assertThat(wholeListing(node)).hasSize(22));
    }

    @Test
    void tagsAreAddedAndTakenAwayThroughAnyNode() {
        start(2, "a", "b", "c", "d", "e");
        var instance = instance("i", "s", "10.0.0.1", 80);
        cluster.at("a").register(instance, "one", "two");
        cluster.at("b").register(new RegisterQuery(instance, List.of("three")).setMode(RegisterMode.ADD));
        cluster.at("c").register(new RegisterQuery(instance, List.of("one")).setMode(RegisterMode.REMOVE));

        for (String node : cluster.ids()) {
            assertThat(cluster.at(node).allNames(10)).containsExactly("s", "three", "two");
            assertThat(cluster.at(node).tagDiscover("one", "two", "three")).containsOnlyKeys("two", "three");
        }
        assertThatThrownBy(() -> cluster.at("d")
                        .register(new RegisterQuery(instance("j", "s", "10.0.0.1", 80), List.of("x"))
                                .setMode(RegisterMode.ADD)))
                .isInstanceOf(NotFound.class);
    }

    @Test
    void operatorsWordHoldsEverywhere() {
        start(2, "a", "b", "c", "d");
        registerAll();

        cluster.at("d").setStatus("i0", InstanceStatus.DRAINING, "why");
        for (String node : cluster.ids()) {
            assertThatThrownBy(() -> cluster.at(node).tagDiscover(tag(0, 1))).isInstanceOf(NoPeersAvailable.class);
        }
        register("b", 0);
        for (String node : cluster.ids()) {
            assertThatThrownBy(() -> cluster.at(node).tagDiscover(tag(0, 1))).isInstanceOf(NoPeersAvailable.class);
        }
        cluster.at("a").setStatus("i0", InstanceStatus.UP, null);
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
    }

    @Test
    void leaseThatEndsIsGoneFromEveryNode() {
        start(2, "a", "b", "c", "d");
        registerAll();
        cluster.at("b")
                .register(new RegisterQuery(instance("short", "short", "10.0.0.1", 80), List.of("brief"))
                        .setLeaseMillis(1_000));
        assertThat(cluster.at("c").tagDiscover("brief")).hasSize(1);

        long begun = System.nanoTime();
        for (String node : cluster.ids()) {
            eventually(() -> !cluster.at(node).allNames(1_000).contains("brief"));
        }
        assertThat(System.nanoTime() - begun).isLessThan(5_000_000_000L);
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
    }

    @Test
    void emptyNodesLearnEverythingAgainFromHeartbeats() {
        start(2, "a", "b", "c");
        Map<String, LeaseGrant> grants = registerAll();
        List.of("a", "b", "c").forEach(cluster::kill);
        cluster.start("a", "b", "c");

        for (int i = 0; i < INSTANCES; i++) {
            String node = cluster.ids().get(i % 3);
            LeaseRef lease = new LeaseRef("i" + i, generation(grants, "i" + i));
            assertThat(cluster.at(node).heartbeat(lease).getUnknown()).containsExactly(lease);
            register(node, i);
        }
        cluster.ids().forEach(node -> assertAllFoundAt(node, INSTANCES));
    }

    @Test
    void heartbeatsAreTakenByAnyNodeWhileHomesAreDown() {
        start(2, "a", "b", "c", "d", "e");
        Map<String, LeaseGrant> grants = registerAll();
        cluster.silence("c");

        LeaseRef[] leases = grants.values().stream()
                .map(grant -> new LeaseRef(grant.getInstanceId(), grant.getGeneration()))
                .toArray(LeaseRef[]::new);
        for (String node : cluster.ids()) {
            assertThat(cluster.at(node).heartbeat(leases).getUnknown()).isEmpty();
        }
    }

    @Test
    void clusterWithoutReachableOwnersSaysSoInsteadOfNothingFound() {
        start(1, "a", "b", "c", "d", "e");
        registerAll();
        List.of("b", "c", "d", "e").forEach(cluster::silence);

        for (int i = 0; i < INSTANCES; i++) {
            String lonely = tag(i, 1);
            if (!cluster.at("a").owners(lonely).contains("a")) {
                assertThatThrownBy(() -> cluster.at("a").tagDiscover(lonely)).isInstanceOf(NotReady.class);
            }
        }
    }

    /** FF-07: one member takes connections and never answers. */
    @Test
    void memberThatNeverAnswersSlowsNobodyDownOnceItIsNoticed() throws IOException {
        cluster = new TestingCluster(folder, 2, Map.of("cluster.peer-timeout", "500ms"));
        cluster.start("a", "b", "c");
        try (ServerSocket stuck = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            cluster.believeIn("z", HostPort.parse("127.0.0.1:" + stuck.getLocalPort()));
            eventually(() -> cluster.at("a").owners("service0").size() == 2
                    && cluster.at("a").members(null).size() == 4);
            registerAll();

            long begunNanos = System.nanoTime();
            for (int i = 0; i < INSTANCES; i++) {
                register(cluster.ids().get(i % 3), i);
                assertThat(whole("b", tags(i))).hasSize(TAGS);
            }
            // Had each waited for the time-out of a call, it would have been twice as long.
            assertThat(Duration.ofNanos(System.nanoTime() - begunNanos))
                    .isLessThan(Duration.ofMillis(500L * INSTANCES / 2));
        }
    }
}
