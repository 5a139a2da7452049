// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import java.time.Duration;

/**
 * A moving average of latencies that follows a rise at once and forgets it slowly: it decays with time, not with the number
 * of answers, so that one slow answer of a host that is called rarely doesn't count for ever. Immutable.
 *
 * @param averageNanos as of {@code atNanos}
 */
public record PeakEwma(double averageNanos, long atNanos) {

    /** The average after another answer, that took this long; one that took longer than the average becomes it. */
    public PeakEwma with(long latencyNanos, long nowNanos, Duration decay) {
        if (latencyNanos >= averageNanos) {
            return new PeakEwma(latencyNanos, nowNanos);
        }
        double kept = kept(nowNanos, decay);
        return new PeakEwma(averageNanos * kept + latencyNanos * (1 - kept), nowNanos);
    }

    /** The average as it is now: without answers it falls towards zero, so that the host is tried again. */
    public double now(long nowNanos, Duration decay) {
        return averageNanos * kept(nowNanos, decay);
    }

    private double kept(long nowNanos, Duration decay) {
        return Math.exp(-Math.max(0, nowNanos - atNanos) / (double) decay.toNanos());
    }
}
