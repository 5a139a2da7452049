// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.ServiceName;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Place;
import io.tagbahn.peer.Word;
import io.tagbahn.server.cluster.SimulatedCluster.SimulatedNode;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of copies: whatever they hold, and whomever they are for, each is worked out in a moment. */
class CopyPagesTest {

    private static final int INSTANCES = 1_000;
    private static final int TAGS = 200;
    /** What one page may look at, and what is looked at last may go past it. */
    private static final int LOOKS_MAX = 10_000 + TAGS + 2;

    private final SimulatedCluster cluster = new SimulatedCluster(1, 1);

    private static InstanceId id(int i) {
        return new InstanceId("i" + i);
    }

    @BeforeEach
    void start() {
        cluster.startAll(4);
        int lease = Math.toIntExact(Duration.ofHours(1).toMillis());
        for (int i = 0; i < INSTANCES; i++) {
            Instance instance = Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80"))
                    .withId(id(i));
            TreeSet<String> entries = new TreeSet<>(List.of("s"));
            for (int tag = 0; tag < TAGS; tag++) {
                entries.add("http://example.org/#" + i + "-" + tag);
            }
            cluster.node("n0")
                    .store
                    .apply(
                            new Change.RecordCopy(instance, List.copyOf(entries), 1, lease, lease, Word.NONE, 0),
                            cluster.now());
            if (i % 10 == 0) {
                cluster.node("n0").store.apply(new Change.Removal(id(INSTANCES + i), 1, false), cluster.now());
            }
        }
    }

    private Copies page(Place place) {
        return cluster.node("n0")
                .cluster
                .self()
                .copies("n1", place, cluster.deadline())
                .toCompletableFuture()
                .join();
    }

    /** How many instances lie between two places. */
    private int between(Place from, Optional<Place> to) {
        SimulatedNode node = cluster.node("n0");
        int count = 0;
        for (int i = 0; i < INSTANCES; i++) {
            InstanceId id = id(i);
            count += isBehind(id, from) && !to.map(end -> isBehind(id, end)).orElse(false) ? 1 : 0;
        }
        assertThat(node.store.instanceCount()).isEqualTo(INSTANCES);
        return count;
    }

    private static boolean isBehind(InstanceId id, Place place) {
        int bucket = io.tagbahn.server.store.Buckets.of(id);
        return bucket > place.bucket()
                || (bucket == place.bucket()
                        && place.after().map(after -> id.compareTo(after) > 0).orElse(true));
    }

    @Test
    void pagesTogetherHoldEverythingOnceAndNoneLooksAtTooMuch() {
        List<InstanceId> told = new ArrayList<>();
        Optional<Place> next = Optional.of(Place.START);
        int pages = 0;
        while (next.isPresent()) {
            Place from = next.get();
            Copies copies = page(from);
            copies.changes().forEach(change -> told.add(change.id()));
            next = copies.next();
            assertThat((TAGS + 1) * between(from, next)).as("page from " + from).isLessThanOrEqualTo(LOOKS_MAX);
            pages++;
        }
        assertThat(pages).isBetween(INSTANCES * TAGS / LOOKS_MAX, 3 * INSTANCES * TAGS / LOOKS_MAX);
        assertThat(told).doesNotHaveDuplicates();

        ClusterView view = cluster.node("n0").cluster.view();
        SimulatedNode source = cluster.node("n0");
        for (int i = 0; i < INSTANCES; i++) {
            Held held = source.store.held(id(i), cluster.now()).orElseThrow();
            boolean wanted = view.futureHomes(id(i)).contains("n1")
                    || (view.futureHomes(id(i)).contains("n0")
                            && held.entries().stream()
                                    .anyMatch(entry -> view.futureOwners(entry).contains("n1")));
            if (wanted) {
                assertThat(told).contains(id(i));
            }
        }
        for (int i = INSTANCES; i < 2 * INSTANCES; i += 10) {
            assertThat(told.contains(id(i))).isEqualTo(view.futureHomes(id(i)).contains("n0"));
        }
    }
}
