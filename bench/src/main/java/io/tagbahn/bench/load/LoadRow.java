// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import io.tagbahn.bench.LoopOutcome;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a load came to.
 *
 * @param ratePerSecond that was offered; absent in a closed loop
 * @param inFlight on each connection in a closed loop
 * @param outcome on the nodes
 * @param echo the same load on the echo
 * @param nodes what it took of them; absent where they run elsewhere
 * @param knee whether it is the highest rate that was kept
 */
public record LoadRow(
        Mix mix,
        int tagsPerCall,
        int connections,
        int inFlight,
        OptionalDouble ratePerSecond,
        LoopOutcome outcome,
        LoopOutcome echo,
        Optional<NodesUse> nodes,
        boolean knee) {

    /**
     * What a load took of all nodes together.
     *
     * @param heapBytes in use after the last collection
     * @param residentBytes of the processes
     * @param pauses of their collectors
     * @param fullPauses those of whole heaps
     */
    public record NodesUse(
            double cpuMicrosPerCall,
            long heapBytes,
            long residentBytes,
            int pauses,
            int fullPauses,
            double pauseMillis,
            double pauseMillisMax) {}

    /** A quantile of the calls' latencies; they count from when a call was due, in an open loop. */
    public double micros(double percentile) {
        return outcome.latencyNanos().getValueAtPercentile(percentile) / 1e3;
    }

    LoadRow asKnee() {
        return new LoadRow(mix, tagsPerCall, connections, inFlight, ratePerSecond, outcome, echo, nodes, true);
    }
}
