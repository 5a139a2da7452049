// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import static org.awaitility.Awaitility.await;

import io.tagbahn.model.HostPort;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Clusters within this process. */
public final class TestingClusters implements ClusterStarter {

    private static final Duration READY_MAX = Duration.ofSeconds(60);

    private final Path folder;
    private int started;

    public TestingClusters(Path folder) {
        this.folder = folder;
    }

    /** How many were started. */
    public int started() {
        return started;
    }

    @Override
    public RunningCluster start(int count, int replicas, List<String> jvm) {
        Path own = folder.resolve("cluster-" + ++started);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(Node.start(NodeConfig.parse(Map.of(
                    "node.listen",
                    "127.0.0.1:0",
                    "cluster.seeds",
                    i == 0 ? "" : nodes.get(0).advertised().toString(),
                    "cluster.replicas",
                    Integer.toString(replicas),
                    "cluster.handover",
                    "1ms",
                    "node.data-dir",
                    own.resolve("node-" + i).toString()))));
        }
        await().atMost(READY_MAX)
                .until(() -> nodes.stream().allMatch(node -> node.status().ready()));
        return new Started(nodes, own);
    }

    private record Started(List<Node> running, Path folder) implements RunningCluster {

        @Override
        public List<RunningNode> nodes() {
            return running.stream().map(this::asSeen).toList();
        }

        private RunningNode asSeen(Node node) {
            HostPort address = node.advertised();
            return new RunningNode(address, ProcessHandle.current().pid(), folder);
        }

        @Override
        public void close() {
            running.forEach(Node::close);
        }
    }
}
