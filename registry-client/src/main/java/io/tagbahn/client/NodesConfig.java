// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Locality;
import java.time.Duration;

/**
 * Which nodes calls go to.
 *
 * @param here where this client runs: nodes near to it are preferred
 * @param following whether nodes are learnt of from the registry, besides the addresses that were given
 * @param refreshEvery how often it is asked for them; 1 s to 1 h
 * @param nodesMax nodes that calls go to, the nearest of those that are known; the given addresses always do; 1..64
 */
public record NodesConfig(Locality here, boolean following, Duration refreshEvery, int nodesMax) {

    public NodesConfig {
        Ranges.check("nodes.refreshEvery", refreshEvery, Duration.ofSeconds(1), Duration.ofHours(1));
        Ranges.check("nodes.nodesMax", nodesMax, 1, 64);
    }

    /** From an unknown place, following every 30 s, up to 16 nodes. */
    public static NodesConfig defaults() {
        return new NodesConfig(Locality.UNKNOWN, true, Duration.ofSeconds(30), 16);
    }

    public NodesConfig withHere(Locality newHere) {
        return new NodesConfig(newHere, following, refreshEvery, nodesMax);
    }

    /** The given addresses and no others: for tools that mean a certain node, and where nodes are behind a proxy. */
    public NodesConfig withoutFollowing() {
        return new NodesConfig(here, false, refreshEvery, nodesMax);
    }

    public NodesConfig withRefreshEvery(Duration newEvery) {
        return new NodesConfig(here, following, newEvery, nodesMax);
    }

    public NodesConfig withNodesMax(int newMax) {
        return new NodesConfig(here, following, refreshEvery, newMax);
    }
}
