// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.awaitility.Awaitility.await;

import io.tagbahn.thrift.MemberInfo;
import io.tagbahn.thrift.MemberState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Nodes of this process that find each other over sockets. */
final class GossipingNodes implements AutoCloseable {

    private static final Duration WAIT_MAX = Duration.ofSeconds(40);

    private final Path folder;
    private final Map<String, Node> nodes = new TreeMap<>();

    GossipingNodes(Path folder) {
        this.folder = folder;
    }

    /** Starts a node at a free port. */
    Node start(String id, String... seeds) {
        return start(id, "127.0.0.1:0", Map.of("cluster.seeds", String.join(",", seeds)));
    }

    Node start(String id, String listen, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "node.id",
                id,
                "node.listen",
                listen,
                "node.drain",
                "1s",
                "cluster.settle",
                "300ms",
                "cluster.handover",
                "10s",
                "node.data-dir",
                folder.resolve(id).toString()));
        settings.putAll(more);
        Node node = Node.start(NodeConfig.parse(settings));
        synchronized (nodes) {
            nodes.put(id, node);
        }
        return node;
    }

    Node node(String id) {
        synchronized (nodes) {
            return Objects.requireNonNull(nodes.get(id), id);
        }
    }

    String address(String id) {
        return node(id).advertised().toString();
    }

    void kill(String id) {
        node(id).kill();
        forget(id);
    }

    void leave(String id) {
        node(id).close();
        forget(id);
    }

    private void forget(String id) {
        synchronized (nodes) {
            nodes.remove(id);
        }
    }

    TestingCaller caller(String id) {
        return new TestingCaller(node(id).address());
    }

    /** Waits until all running nodes are ready, and each sees exactly them alive. */
    void awaitAgreement() {
        Set<String> running;
        synchronized (nodes) {
            running = Set.copyOf(nodes.keySet());
        }
        for (String id : running) {
            try (TestingCaller caller = caller(id)) {
                await().alias("what " + id + " sees")
                        .atMost(WAIT_MAX)
                        .pollInterval(Duration.ofMillis(50))
                        .until(() -> node(id).status().ready() && alive(caller).equals(running));
            }
        }
    }

    static Set<String> alive(TestingCaller caller) {
        return caller.members(null).stream()
                .filter(member -> member.getState() == MemberState.ALIVE)
                .map(MemberInfo::getId)
                .collect(Collectors.toSet());
    }

    static MemberInfo member(TestingCaller caller, String id) {
        List<MemberInfo> found = caller.members(null).stream()
                .filter(member -> member.getId().equals(id))
                .toList();
        return found.get(0);
    }

    @Override
    public void close() {
        synchronized (nodes) {
            nodes.values().forEach(Node::kill);
        }
    }
}
