// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.util.Map;

/** A real node at a free port of this machine. */
final class TestingNode implements AutoCloseable {

    private final Node node;

    private TestingNode(Node node) {
        this.node = node;
    }

    static TestingNode start(Path data) {
        return start(data, 0);
    }

    static TestingNode start(Path data, int port) {
        return new TestingNode(Node.start(NodeConfig.parse(
                // Not the port after that of callers: it may have become that of any connection.
                Map.of(
                        "node.listen",
                        "127.0.0.1:" + port,
                        "cluster.listen",
                        "127.0.0.1:0",
                        "node.data-dir",
                        data.toString(),
                        "node.drain",
                        "1s"))));
    }

    String address() {
        return node.advertised().toString();
    }

    int port() {
        return node.advertised().port();
    }

    String id() {
        return node.id();
    }

    @Override
    public void close() {
        node.close();
    }
}
