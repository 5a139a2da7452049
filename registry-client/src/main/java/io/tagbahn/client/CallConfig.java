// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;

/**
 * How long calls may take, and how they are repeated.
 *
 * @param readTimeout deadline of a call that reads, all its attempts together; 1 ms to 10 min
 * @param writeTimeout deadline of a call that writes, all its attempts together; 1 ms to 10 min
 * @param attemptsMax tries of one call, the first included; 1..16
 * @param backoffMin upper bound of the random wait before the first repetition to a node that was tried already; doubles
 *     with each further one
 * @param backoffMax upper bound of that wait however often it doubled
 * @param avoidFailedFor how long a node that failed is asked only when no other is left; doubles with each failure after
 *     that; 0 (never) to 10 min
 * @param avoidFailedMax longest such time, however often it doubled
 * @param retryShare repetitions that all calls of the client may make together, for each call; 0..1
 * @param retriesPerSecond repetitions that they may make besides; 0..1000
 */
public record CallConfig(
        Duration readTimeout,
        Duration writeTimeout,
        int attemptsMax,
        Duration backoffMin,
        Duration backoffMax,
        Duration avoidFailedFor,
        Duration avoidFailedMax,
        double retryShare,
        double retriesPerSecond) {

    /** The while over which repetitions are counted. */
    static final Duration RETRY_WINDOW = Duration.ofSeconds(10);

    private static final Duration TIMEOUT_MIN = Duration.ofMillis(1);
    private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
    private static final int ATTEMPTS_MAX = 16;

    public CallConfig {
        Ranges.check("call.readTimeout", readTimeout, TIMEOUT_MIN, TIMEOUT_MAX);
        Ranges.check("call.writeTimeout", writeTimeout, TIMEOUT_MIN, TIMEOUT_MAX);
        Ranges.check("call.attemptsMax", attemptsMax, 1, ATTEMPTS_MAX);
        Ranges.check("call.backoffMin", backoffMin, TIMEOUT_MIN, TIMEOUT_MAX);
        Ranges.check("call.backoffMax", backoffMax, backoffMin, TIMEOUT_MAX);
        Ranges.check("call.avoidFailedFor", avoidFailedFor, Duration.ZERO, TIMEOUT_MAX);
        Ranges.check("call.avoidFailedMax", avoidFailedMax, avoidFailedFor, TIMEOUT_MAX);
        Ranges.check("call.retryShare", retryShare, 0.0, 1.0);
        Ranges.check("call.retriesPerSecond", retriesPerSecond, 0.0, 1_000.0);
    }

    /**
     * 1 s for reads, 10 s for writes, three attempts, waits of up to 50 ms that double up to 1 s; nodes that failed are
     * avoided for 2 s, doubling up to 30 s; repetitions for a fifth of the calls and ten a second.
     */
    public static CallConfig defaults() {
        return new CallConfig(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                3,
                Duration.ofMillis(50),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                0.2,
                10);
    }

    public CallConfig withReadTimeout(Duration newTimeout) {
        return new CallConfig(
                newTimeout,
                writeTimeout,
                attemptsMax,
                backoffMin,
                backoffMax,
                avoidFailedFor,
                avoidFailedMax,
                retryShare,
                retriesPerSecond);
    }

    public CallConfig withWriteTimeout(Duration newTimeout) {
        return new CallConfig(
                readTimeout,
                newTimeout,
                attemptsMax,
                backoffMin,
                backoffMax,
                avoidFailedFor,
                avoidFailedMax,
                retryShare,
                retriesPerSecond);
    }

    public CallConfig withAttemptsMax(int newMax) {
        return new CallConfig(
                readTimeout,
                writeTimeout,
                newMax,
                backoffMin,
                backoffMax,
                avoidFailedFor,
                avoidFailedMax,
                retryShare,
                retriesPerSecond);
    }

    public CallConfig withRetries(double newShare, double newPerSecond) {
        return new CallConfig(
                readTimeout,
                writeTimeout,
                attemptsMax,
                backoffMin,
                backoffMax,
                avoidFailedFor,
                avoidFailedMax,
                newShare,
                newPerSecond);
    }
}
