// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.ServiceName;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.Word;
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Records of which few fit into one message between nodes, and many of them. */
class BigRecordsTest {

    private static final int INSTANCES = 60;
    private static final int TAGS = 5;
    private static final String LONG = "x".repeat(8_000);
    private static final long GENERATION = 1_700_000_000_000L;

    /** An interval of repair, at its longest, for each of the homes' ranks. */
    private static final Duration REPAIRED = Duration.ofSeconds(30);

    private final SimulatedCluster cluster = new SimulatedCluster(1, 2);

    private void start(int count) {
        cluster.frameBytesMax = 256 * 1024;
        cluster.startAll(count);
    }

    private static InstanceId id(int i) {
        return new InstanceId("i" + i);
    }

    private static List<String> entries(int i) {
        List<String> entries = new ArrayList<>(List.of("s"));
        for (int tag = 0; tag < TAGS; tag++) {
            entries.add("http://example.org/" + LONG + "#" + i + "-" + tag);
        }
        return List.copyOf(new TreeSet<>(entries));
    }

    private static Change.RecordCopy record(int i) {
        Instance instance =
                Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80")).withId(id(i));
        int lease = Math.toIntExact(Duration.ofHours(1).toMillis());
        return new Change.RecordCopy(instance, entries(i), GENERATION, lease, lease, Word.NONE, 0);
    }

    private void giveAll(SimulatedNode node) {
        for (int i = 0; i < INSTANCES; i++) {
            assertThat(node.store.apply(record(i), cluster.now()).kind()).isEqualTo(Outcome.Kind.TAKEN);
        }
    }

    private void assertAllIsWhereItBelongs() {
        for (SimulatedNode node : cluster.running()) {
            for (int i = 0; i < INSTANCES; i++) {
                Collection<String> homes =
                        cluster.running().get(0).cluster.view().futureHomes(id(i));
                List<String> posted = new ArrayList<>(entries(i));
                posted.removeIf(
                        entry -> !node.cluster.view().futureOwners(entry).contains(node.id));
                assertThat(node.store
                                .held(id(i), cluster.now())
                                .filter(Held::home)
                                .isPresent())
                        .as("record of %d at %s", i, node.id)
                        .isEqualTo(homes.contains(node.id));
                assertThat(node.store
                                .held(id(i), cluster.now())
                                .map(Held::posted)
                                .orElse(List.of()))
                        .as("posted of %d at %s", i, node.id)
                        .isEqualTo(posted);
            }
        }
    }

    @Test
    void comparisonBringsThemToAllThatLackThem() {
        start(3);
        giveAll(cluster.node("n0"));
        cluster.run(REPAIRED);
        assertAllIsWhereItBelongs();
    }

    @Test
    void thoseThatBelongElsewhereAreMovedThere() {
        start(6);
        giveAll(cluster.node("n0"));
        cluster.run(REPAIRED.multipliedBy(2));
        assertAllIsWhereItBelongs();
    }

    @Test
    void heartbeatsBringThemToHomesThatLackThem() {
        start(3);
        giveAll(cluster.node("n0"));
        List<LeaseRef> leases = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            leases.add(new LeaseRef(id(i), GENERATION));
        }
        cluster.node("n1").cluster.coordinator().heartbeat(leases, cluster.deadline());
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.running())
                .allSatisfy(node ->
                        assertThat(node.store.instanceCount()).as(node.id).isEqualTo(INSTANCES));
    }

    @Test
    void nodeThatJoinsIsFilledWithThemAndTakesOverFromOneThatLeaves() {
        start(3);
        giveAll(cluster.node("n0"));
        cluster.run(REPAIRED);
        cluster.start(3);
        assertThat(cluster.runUntil(() -> cluster.running().size() == 4 && cluster.allReady(), REPAIRED))
                .isTrue();
        cluster.run(REPAIRED);
        assertAllIsWhereItBelongs();
        cluster.leave("n0");
        assertThat(cluster.runUntil(() -> cluster.running().size() == 3 && cluster.allReady(), REPAIRED))
                .isTrue();
        cluster.run(REPAIRED);
        assertAllIsWhereItBelongs();
    }
}
