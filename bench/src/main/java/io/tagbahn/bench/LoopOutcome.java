// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What a run under load came to.
 *
 * @param failures calls that completed exceptionally, which are not among the calls
 * @param latencyNanos of every call
 */
public record LoopOutcome(long calls, long failures, double callsPerSecond, Histogram latencyNanos) {

    /** A longer one counts as this. */
    public static final long LATENCY_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

    /** One line for people. */
    public String summary() {
        return String.format(
                "%,.0f calls/s, %d failures, p50 %.0f µs, p99 %.0f µs, p99.9 %.0f µs",
                callsPerSecond,
                failures,
                latencyNanos.getValueAtPercentile(50) / 1e3,
                latencyNanos.getValueAtPercentile(99) / 1e3,
                latencyNanos.getValueAtPercentile(99.9) / 1e3);
    }
}
