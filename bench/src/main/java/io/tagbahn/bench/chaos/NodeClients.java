// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.CallConfig;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.HostPort;
import java.time.Duration;
import java.util.List;

/** Clients of one node only. */
final class NodeClients {

    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RECONNECT_MIN = Duration.ofMillis(10);
    private static final Duration RECONNECT_MAX = Duration.ofMillis(30);

    private NodeClients() {}

    /** One that repeats nothing, and is connected again soon after the node is back. */
    static RegistryClient of(HostPort address) {
        RegistryClientConfig config = RegistryClientConfig.defaults().withRegistries(List.of(address));
        config = config.withNodes(config.nodes().withoutFollowing())
                .withKept(config.kept().none());
        CallConfig once = config.call().withAttemptsMax(1).withWriteTimeout(WRITE_TIMEOUT);
        return RegistryClient.connect(config.withCall(once)
                .withConnection(config.connection().withReconnectDelay(RECONNECT_MIN, RECONNECT_MAX)));
    }
}
