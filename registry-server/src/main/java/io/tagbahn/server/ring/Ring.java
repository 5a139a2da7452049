// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import java.util.List;

/**
 * Which nodes own a key. With a single node there is nothing to divide: it owns every key, and all of the ring.
 *
 * @param nodeId the node
 */
public record Ring(String nodeId) {

    /** The ids of the nodes that own the key, first owner first. */
    public List<String> owners(String key) {
        return List.of(nodeId);
    }

    /** A node's share of the ring, 0..1. */
    public double share(String id) {
        return id.equals(nodeId) ? 1.0 : 0.0;
    }
}
