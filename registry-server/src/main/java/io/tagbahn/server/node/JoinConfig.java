// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a node finds its cluster.
 *
 * @param listen where it listens to other nodes; follows from where it listens to all where absent
 * @param seeds public addresses of nodes
 * @param keys directory of the node's keys; absent where nodes talk plainly
 * @param plain whether nodes may talk to each other unencrypted beyond the loopback
 * @param connectionsMax connections of other nodes open at once
 * @param forget how long nodes that are gone stay in the list of members
 */
public record JoinConfig(
        Optional<ListenAddress> listen,
        List<HostPort> seeds,
        Optional<Path> keys,
        boolean plain,
        int connectionsMax,
        Duration forget) {

    /** Nodes named as seeds. */
    static final int SEEDS_MAX = 64;

    public JoinConfig {
        seeds = List.copyOf(seeds);
    }
}
