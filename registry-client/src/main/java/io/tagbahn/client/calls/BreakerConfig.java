// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;

/**
 * When a host is left alone because it fails, and when it is tried again.
 *
 * @param failureShare of the calls in the window at which it opens; above 0, to 1
 * @param callsMin calls in the window below which the share says nothing; 1..10000
 * @param failuresInRow after which it opens whatever the share is; 1..10000
 * @param window over which is counted; 100 ms to 1 h
 * @param openFor how long it stays open before it lets probes through; 1 ms to 1 h
 * @param probes calls let through then; as many successes close it, one failure opens it again; 1..16
 * @param probeTimeout after which a probe of which nothing was heard gives its place to another; 1 ms to 1 h
 */
public record BreakerConfig(
        double failureShare,
        int callsMin,
        int failuresInRow,
        Duration window,
        Duration openFor,
        int probes,
        Duration probeTimeout) {

    static final int PROBES_MAX = 16;
    private static final int CALLS_MAX = 10_000;

    public BreakerConfig {
        Limits.check("breaker.failureShare", failureShare, Double.MIN_VALUE, 1);
        Limits.check("breaker.callsMin", callsMin, 1, CALLS_MAX);
        Limits.check("breaker.failuresInRow", failuresInRow, 1, CALLS_MAX);
        Limits.check("breaker.window", window, Duration.ofMillis(100), Limits.TIME_MAX);
        Limits.check("breaker.openFor", openFor, Limits.TIME_MIN, Limits.TIME_MAX);
        Limits.check("breaker.probes", probes, 1, PROBES_MAX);
        Limits.check("breaker.probeTimeout", probeTimeout, Limits.TIME_MIN, Limits.TIME_MAX);
    }

    /** Half of at least 20 calls in 10 s, or 5 in a row; open for 2 s; 2 probes of 2 s. */
    public static BreakerConfig defaults() {
        return new BreakerConfig(0.5, 20, 5, Duration.ofSeconds(10), Duration.ofSeconds(2), 2, Duration.ofSeconds(2));
    }

    public BreakerConfig withFailureShare(double newShare) {
        return new BreakerConfig(newShare, callsMin, failuresInRow, window, openFor, probes, probeTimeout);
    }

    public BreakerConfig withFailuresInRow(int newFailures) {
        return new BreakerConfig(failureShare, callsMin, newFailures, window, openFor, probes, probeTimeout);
    }

    public BreakerConfig withOpenFor(Duration newDuration) {
        return new BreakerConfig(failureShare, callsMin, failuresInRow, window, newDuration, probes, probeTimeout);
    }

    public BreakerConfig withProbes(int newProbes, Duration newTimeout) {
        return new BreakerConfig(failureShare, callsMin, failuresInRow, window, openFor, newProbes, newTimeout);
    }
}
