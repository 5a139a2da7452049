// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.awaitility.Awaitility.await;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.cluster.ClusterMember;
import io.tagbahn.server.cluster.Membership;
import io.tagbahn.server.cluster.Stage;
import io.tagbahn.server.ring.RingMember;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Several nodes in this process that know each other by a list which a test can change. */
final class TestingCluster implements AutoCloseable {

    private final Path folder;
    private final Map<String, String> settings;
    private final Map<String, ClusterMember> roster = new LinkedHashMap<>();
    private final Map<String, List<Runnable>> listeners = new HashMap<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, TestingCaller> callers = new HashMap<>();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();

    TestingCluster(Path folder, int replicas, Map<String, String> more) {
        this.folder = folder;
        this.settings = new HashMap<>(Map.of(
                "node.listen", "127.0.0.1:0",
                "node.drain", "1s",
                "cluster.replicas", String.valueOf(replicas),
                "cluster.settle", "1s",
                "cluster.repair-interval", "500ms",
                "cluster.peer-timeout", "3s",
                "cluster.handover", "20s"));
        settings.putAll(more);
    }

    /** Every member hears of a change before the method returns that made it. */
    private final class Roster implements Membership {
        private final String self;

        Roster(String self) {
            this.self = self;
        }

        @Override
        public List<ClusterMember> members() {
            synchronized (roster) {
                return List.copyOf(roster.values());
            }
        }

        @Override
        public void onChange(Runnable listener) {
            synchronized (roster) {
                listeners.computeIfAbsent(self, node -> new ArrayList<>()).add(listener);
            }
        }

        @Override
        public void announce(Stage stage) {
            synchronized (roster) {
                roster.computeIfPresent(self, (node, member) -> member.withStage(stage));
            }
            tellAll();
        }

        @Override
        public void lost(String id) {
            lost.add(id);
        }

        @Override
        public void close() {
            remove(self);
        }
    }

    private void tellAll() {
        List<Runnable> all = new ArrayList<>();
        synchronized (roster) {
            listeners.values().forEach(all::addAll);
        }
        all.forEach(Runnable::run);
    }

    private void remove(String id) {
        synchronized (roster) {
            roster.remove(id);
            listeners.remove(id);
        }
        tellAll();
    }

    /** Starts nodes and waits until all are ready. */
    void start(String... ids) {
        for (String id : ids) {
            begin(id);
        }
        awaitReady();
    }

    /** Has all nodes believe in a member that nobody knows anything of but its address: one that joined as others do. */
    void believeIn(String id, HostPort peerAddress) {
        for (Stage stage : List.of(Stage.JOINING, Stage.READY)) {
            synchronized (roster) {
                roster.put(
                        id,
                        new ClusterMember(
                                id,
                                peerAddress,
                                peerAddress,
                                Locality.UNKNOWN,
                                RingMember.WEIGHT_USUAL,
                                stage,
                                MemberState.ALIVE,
                                1));
            }
            tellAll();
            eventually(() -> nodes.values().stream()
                    .map(node -> node.cluster().view().reachable().get(id))
                    .allMatch(member -> member != null && member.stage() == stage));
        }
    }

    /** Starts a node without waiting. */
    void begin(String id) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("node.id", id);
        all.put("node.data-dir", directory(id).toString());
        Node node = Node.start(NodeConfig.parse(all), Node.Sources.system(), self -> {
            synchronized (roster) {
                roster.put(self.id(), self);
            }
            tellAll();
            return new Roster(self.id());
        });
        nodes.put(id, node);
        callers.put(id, new TestingCaller(node.address()));
    }

    private Path directory(String id) {
        try {
            return Files.createDirectories(folder.resolve(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until all nodes are ready, and all of them see all others so. */
    void awaitReady() {
        eventually(() -> nodes.values().stream().allMatch(node -> node.status().ready())
                && nodes.values().stream()
                                .map(node -> node.cluster().view())
                                .flatMap(view -> Stream.of(view.readRing(), view.nextRing()))
                                .distinct()
                                .count()
                        == 1);
    }

    static void eventually(Supplier<Boolean> condition) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(condition::get);
    }

    /** Ends a node without a word, and has the others notice. */
    void kill(String id) {
        silence(id);
        remove(id);
    }

    /** Ends a node without a word, and nobody notices yet. */
    void silence(String id) {
        at(id).close();
        callers.remove(id);
        node(id).kill();
        nodes.remove(id);
    }

    /** The others notice. */
    void forget(String id) {
        remove(id);
    }

    void leave(String id) {
        at(id).close();
        callers.remove(id);
        node(id).close();
        nodes.remove(id);
    }

    /** Members to which some node has lost its connection. */
    Set<String> lost() {
        return lost;
    }

    List<String> ids() {
        return List.copyOf(nodes.keySet());
    }

    Node node(String id) {
        return Objects.requireNonNull(nodes.get(id), id);
    }

    TestingCaller at(String id) {
        return Objects.requireNonNull(callers.get(id), id);
    }

    @Override
    public void close() {
        callers.values().forEach(TestingCaller::close);
        nodes.values().forEach(Node::kill);
    }
}
