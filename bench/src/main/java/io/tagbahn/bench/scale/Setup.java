// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

/**
 * A cluster and what it holds.
 *
 * @param replicas nodes that hold each tag
 */
public record Setup(int nodes, int replicas, int instances, int tagsPerInstance) {

    public Setup {
        if (nodes < 1 || replicas < 1 || instances < 1 || tagsPerInstance < 1) {
            throw new IllegalArgumentException("nodes " + nodes + ", replicas " + replicas + ", instances " + instances
                    + ", tags " + tagsPerInstance);
        }
    }

    Setup withInstances(int others) {
        return new Setup(nodes, replicas, others, tagsPerInstance);
    }
}
