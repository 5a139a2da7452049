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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers of the catalogue in virtual time, while entries come and go, messages get lost and are made good late, and nodes
 * crash and come back: in the end each copy is what there is.
 */
class CatalogSimulationTest {

    private static final int NODES = 4;
    private static final int INSTANCES = 60;
    private static final int STEPS = 200;
    private static final Duration STEP = Duration.ofMillis(100);
    private static final int PAGE = 5;

    /** A copy of all entries, read on by one call at a time at any node. */
    private static final class Reader {
        private final SimulatedCluster cluster;
        private Optional<CatalogReader.Position> position = Optional.empty();
        private Optional<String> after = Optional.empty();
        private boolean filling = true;
        private TreeSet<String> entries = new TreeSet<>();
        private boolean open;
        private long deadlineNanos;
        private int calls;
        private int wholes;

        Reader(SimulatedCluster cluster) {
            this.cluster = cluster;
        }

        void read() {
            if (open && cluster.nowNanos() < deadlineNanos) {
                return;
            }
            open = true;
            deadlineNanos = cluster.deadline() + Duration.ofSeconds(1).toNanos(); // who was asked may have crashed
            CatalogReader catalog = any(cluster).cluster.catalog();
            if (position.isEmpty()) {
                then(catalog.position(cluster.deadline()), this::begin);
            } else if (filling) {
                then(
                        catalog.page(position.get(), after, PAGE, cluster.deadline()),
                        page -> page.ifPresentOrElse(this::take, this::reset));
            } else {
                then(
                        catalog.since(position.get(), PAGE, cluster.deadline()),
                        part -> part.ifPresentOrElse(this::take, this::reset));
            }
        }

        private <T> void then(CompletionStage<T> call, Consumer<T> taking) {
            int mine = ++calls;
            call.whenComplete((answer, error) -> {
                if (mine == calls) {
                    open = false; // whatever failed is tried again
                    if (error == null) {
                        taking.accept(answer);
                    }
                }
            });
        }

        private void begin(CatalogReader.Position begun) {
            position = Optional.of(begun);
            after = Optional.empty();
            entries = new TreeSet<>();
            filling = true;
        }

        private void reset() {
            position = Optional.empty();
        }

        private void take(CatalogReader.Page page) {
            entries.addAll(page.entries());
            after = page.last();
            filling = after.isPresent();
            wholes += filling ? 0 : 1;
        }

        private void take(CatalogReader.Part part) {
            part.present().forEach((entry, there) -> {
                if (there) {
                    entries.add(entry);
                } else {
                    entries.remove(entry);
                }
            });
            position = Optional.of(part.next());
        }
    }

    private static SimulatedNode any(SimulatedCluster cluster) {
        List<SimulatedNode> running = cluster.running();
        return running.get(cluster.random.nextInt(running.size()));
    }

    private static RegisterRequest request(int i) {
        return new RegisterRequest(
                Instance.of(new ServiceName("s" + i), HostPort.parse("10.0.0.1:80"))
                        .withId(new InstanceId("i" + i)),
                List.of(Tag.parse("http://example.org/#" + i), Tag.parse("http://example.org/#shared" + i % 3)),
                Optional.of(Duration.ofHours(1)),
                RegisterMode.REPLACE,
                OptionalLong.empty());
    }

    /** Registers one that isn't, or ends one that is, at any node. */
    private static void change(SimulatedCluster cluster, Map<Integer, Long> generations) {
        int i = cluster.random.nextInt(INSTANCES);
        Coordinator coordinator = any(cluster).cluster.coordinator();
        Long generation = generations.remove(i);
        if (generation == null) {
            coordinator
                    .register(RegisterCommand.of(request(i)), cluster.deadline())
                    .thenAccept(written -> generations.put(i, written.generation()));
        } else {
            coordinator.deregister(new LeaseRef(new InstanceId("i" + i), generation), cluster.deadline());
        }
    }

    private static List<String> listing(SimulatedCluster cluster, String node) {
        List<EntryPage> pages = new ArrayList<>();
        cluster.node(node)
                .cluster
                .list("", Optional.empty(), 10_000, cluster.deadline())
                .thenAccept(pages::add);
        cluster.run(Duration.ofMillis(100));
        return pages.get(0).entries();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void copiesAreRightInTheEnd(long seed) {
        int replicas = 1 + (int) (seed % 3);
        SimulatedCluster cluster = new SimulatedCluster(seed, replicas);
        cluster.startAll(NODES);
        cluster.loss = 0.05;
        Map<Integer, Long> generations = new HashMap<>();
        List<Reader> readers = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            change(cluster, generations);
            if (step % 40 == 0) {
                readers.add(new Reader(cluster));
            }
            readers.forEach(Reader::read);
            if (step == STEPS / 2 && replicas > 1) {
                SimulatedNode crashed = any(cluster);
                cluster.crash(crashed.id);
                cluster.at(Duration.ofSeconds(4), () -> cluster.start(crashed.number));
            }
            cluster.run(STEP);
        }
        cluster.loss = 0;
        for (int quiet = 0; quiet < 150; quiet++) {
            readers.forEach(Reader::read);
            cluster.run(Duration.ofMillis(200));
        }
        List<String> all = listing(cluster, "n0");
        assertThat(all).as("seed %d", seed).isNotEmpty();
        for (Reader reader : readers) {
            assertThat(reader.wholes).as("seed %d", seed).isPositive();
            assertThat(reader.entries).as("seed %d", seed).containsExactlyElementsOf(all);
        }
    }

    /** What one owner removes later than the one whose log counts. */
    @Test
    void entryThatOneOwnerRemovesLateIsInNoCopy() {
        SimulatedCluster cluster = new SimulatedCluster(1, 2);
        cluster.startAll(3);
        Map<String, Long> generations = new HashMap<>();
        for (int i = 0; i < INSTANCES; i++) {
            int number = i;
            cluster.node("n0")
                    .cluster
                    .coordinator()
                    .register(RegisterCommand.of(request(i)), cluster.deadline())
                    .thenAccept(written -> generations.put("i" + number, written.generation()));
            cluster.run(Duration.ofMillis(50));
        }
        cluster.loss = 0.4;
        generations.forEach((id, generation) -> cluster.node("n0")
                .cluster
                .coordinator()
                .deregister(new LeaseRef(new InstanceId(id), generation), cluster.deadline()));
        cluster.run(Duration.ofMillis(100));
        cluster.loss = 0;
        Reader reader = new Reader(cluster);
        for (int step = 0; step < 800; step++) {
            reader.read();
            cluster.run(Duration.ofMillis(20));
        }
        assertThat(reader.wholes).isOne();
        assertThat(reader.entries).hasSizeLessThan(INSTANCES).containsExactlyElementsOf(listing(cluster, "n0"));
    }
}
