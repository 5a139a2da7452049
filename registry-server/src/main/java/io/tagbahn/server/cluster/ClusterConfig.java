// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.ring.Placement;
import java.time.Duration;

/**
 * How a node takes part in a cluster.
 *
 * @param name of the cluster; nodes of others are refused
 * @param replicas owners of each entry (k)
 * @param peerTimeout how long another node may take to answer a call
 * @param settle how long after a change of the ring nodes may still act on the one before
 * @param repairInterval how often what other nodes hold is compared
 * @param handover how long a node that leaves waits for others to take over
 * @param copyBytesMax bytes of what nodes copy in one message; a single record may be larger
 */
public record ClusterConfig(
        String name,
        int replicas,
        Duration peerTimeout,
        Duration settle,
        Duration repairInterval,
        Duration handover,
        int copyBytesMax) {

    /** Changes kept for a node that can't be told of them now. */
    static final int HINTS_PER_NODE_MAX = 10_000;

    static final Duration HINTS_KEPT = Duration.ofMinutes(5);
    static final Duration HINT_INTERVAL = Duration.ofMillis(500);

    static final Duration HEDGE_MIN = Duration.ofMillis(10);
    static final Duration HEDGE_MAX = Duration.ofMillis(200);

    public ClusterConfig {
        if (replicas < 1 || replicas > Placement.REPLICAS_MAX) {
            throw new IllegalArgumentException("replicas " + replicas + " is not within 1.." + Placement.REPLICAS_MAX);
        }
        if (name.isEmpty() || name.length() > 128) {
            throw new IllegalArgumentException("name '" + name + "' is not of 1..128 characters");
        }
        positive("peerTimeout", peerTimeout);
        positive("settle", settle);
        positive("repairInterval", repairInterval);
        positive("handover", handover);
        if (copyBytesMax < 1) {
            throw new IllegalArgumentException("copyBytesMax " + copyBytesMax + " < 1");
        }
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " " + value + " is not above 0");
        }
    }
}
