// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * Where what a node holds differs from what it should.
 *
 * @param buckets that differ
 * @param holdings what it holds in them
 */
public record Compared(NodeView node, List<Integer> buckets, List<Holding> holdings) {

    public Compared {
        buckets = List.copyOf(buckets);
        holdings = List.copyOf(holdings);
    }
}
