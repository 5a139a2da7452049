// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Nodes inside this process. */
final class TestNodes {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private TestNodes() {}

    /** @param port 0 for a free one */
    static Node start(Path folder, int port) {
        return start(folder, port, Map.of());
    }

    static Node start(Path folder, int port, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("node.listen", "127.0.0.1:" + port);
        // Any free one: the port above a chosen one may be taken by a connection that goes out.
        all.putIfAbsent("cluster.listen", "127.0.0.1:0");
        all.put("node.data-dir", folder.resolve("node").toString());
        return Node.start(NodeConfig.parse(all));
    }

    /** A client of this node that is patient with a slow machine. */
    static RegistryClientConfig patient(Node node) {
        return patient(address(node));
    }

    static RegistryClientConfig patient(String... registries) {
        return RegistryClientConfig.defaults()
                .withRegistries(registries)
                // Tests that cut a link to a node mean that link.
                .withNodes(NodesConfig.defaults().withoutFollowing())
                .withCall(CallConfig.defaults().withReadTimeout(PATIENCE).withWriteTimeout(PATIENCE))
                .withLease(LeaseConfig.defaults().withCloseTimeout(PATIENCE))
                .withInference(
                        InferenceConfig.defaults().withCallTimeout(PATIENCE).withTimeout(PATIENCE));
    }

    static String address(Node node) {
        return "127.0.0.1:" + node.address().getPort();
    }
}
