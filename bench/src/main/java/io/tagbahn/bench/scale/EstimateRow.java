// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

/**
 * What a call would cost in a cluster that is too large to run here.
 *
 * @param messages by the placement on a ring of so many nodes
 * @param messageBytes,cpuMicros by what messages and tags cost in the clusters that ran
 */
public record EstimateRow(
        int nodes,
        int replicas,
        int tagsPerInstance,
        ScaleOperation operation,
        double messages,
        double messageBytes,
        double cpuMicros) {}
