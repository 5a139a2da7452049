// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;

/**
 * When a host gets no calls for a while because it does worse than the others.
 *
 * @param interval at which hosts are compared, by their calls since the last time; 10 ms to 1 h
 * @param callsMin in the interval below which a host is not judged; 1..10000
 * @param failureShareAbove the median of the hosts; above 0, to 1
 * @param latencyTimes the median of the hosts that are as near, by which its mean latency has to be longer; 1.1..1000
 * @param ejectFor how long, times the number of times in a row; 10 ms to 1 h
 * @param shareMax of the hosts that may be out at once; at least one may where there are two, and never all; 0..1
 */
public record EjectionConfig(
        Duration interval,
        int callsMin,
        double failureShareAbove,
        double latencyTimes,
        Duration ejectFor,
        double shareMax) {

    private static final Duration LEAST = Duration.ofMillis(10);

    public EjectionConfig {
        Limits.check("ejection.interval", interval, LEAST, Limits.TIME_MAX);
        Limits.check("ejection.callsMin", callsMin, 1, 10_000);
        Limits.check("ejection.failureShareAbove", failureShareAbove, Double.MIN_VALUE, 1);
        Limits.check("ejection.latencyTimes", latencyTimes, 1.1, 1_000);
        Limits.check("ejection.ejectFor", ejectFor, LEAST, Limits.TIME_MAX);
        Limits.check("ejection.shareMax", shareMax, 0, 1);
    }

    /** Each second, of hosts with 10 calls: 30 % more failures, or 5 times as slow; out for 5 s; a third at most. */
    public static EjectionConfig defaults() {
        return new EjectionConfig(Duration.ofSeconds(1), 10, 0.3, 5, Duration.ofSeconds(5), 1.0 / 3);
    }

    public EjectionConfig withInterval(Duration newInterval) {
        return new EjectionConfig(newInterval, callsMin, failureShareAbove, latencyTimes, ejectFor, shareMax);
    }

    public EjectionConfig withEjectFor(Duration newDuration) {
        return new EjectionConfig(interval, callsMin, failureShareAbove, latencyTimes, newDuration, shareMax);
    }

    public EjectionConfig withShareMax(double newShare) {
        return new EjectionConfig(interval, callsMin, failureShareAbove, latencyTimes, ejectFor, newShare);
    }
}
