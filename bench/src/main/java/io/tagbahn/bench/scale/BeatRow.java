// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

/**
 * What it takes to keep instances alive that are renewed every ten seconds.
 *
 * @param leasesPerCall 0 where there were no heartbeats: what the nodes take anyway
 * @param callsPerSecond to all nodes
 * @param cpuPercent of one core, of all nodes together
 * @param cpuPercentMost of one core, of the node that takes most
 * @param errors calls that failed
 */
public record BeatRow(
        Setup setup,
        int leasesPerCall,
        double callsPerSecond,
        double cpuPercent,
        double cpuPercentMost,
        double p99Micros,
        long errors) {}
