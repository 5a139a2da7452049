// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

/**
 * What a call costs.
 *
 * @param p50Micros,p99Micros of calls one at a time, in turn at all nodes
 * @param cpuMicros of all nodes together, for each call of many at a time
 * @param messages between nodes for each call
 * @param messagesExpected how many the placement on the ring asks for
 * @param messageBytes of those, requests and what else came in between nodes
 * @param errors calls that failed
 */
public record CostRow(
        Setup setup,
        ScaleOperation operation,
        double p50Micros,
        double p99Micros,
        double cpuMicros,
        double messages,
        double messagesExpected,
        double messageBytes,
        long errors) {}
