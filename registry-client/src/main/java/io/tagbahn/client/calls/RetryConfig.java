// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;

/**
 * How often a call is made, and how much all calls together may be repeated.
 *
 * @param attemptsMax of one call, the first included; 1..16
 * @param backoffMin bound of the random pause before the first repetition, doubles with each further one; 1 ms to 1 h
 * @param backoffMax the bound however often it doubled; backoffMin to 1 h
 * @param budgetShare repetitions for each call that is made, over 10 s; 0..1
 * @param budgetPerSecond repetitions for each second besides; 0..100000
 */
public record RetryConfig(
        int attemptsMax, Duration backoffMin, Duration backoffMax, double budgetShare, double budgetPerSecond) {

    static final int ATTEMPTS_MAX = 16;

    public RetryConfig {
        Limits.check("retry.attemptsMax", attemptsMax, 1, ATTEMPTS_MAX);
        Limits.check("retry.backoffMin", backoffMin, Limits.TIME_MIN, Limits.TIME_MAX);
        Limits.check("retry.backoffMax", backoffMax, backoffMin, Limits.TIME_MAX);
        Limits.check("retry.budgetShare", budgetShare, 0, 1);
        Limits.check("retry.budgetPerSecond", budgetPerSecond, 0, 100_000);
    }

    /** Three attempts, pauses of up to 10 ms that double up to 1 s, a budget of a fifth and ten a second. */
    public static RetryConfig defaults() {
        return new RetryConfig(3, Duration.ofMillis(10), Duration.ofSeconds(1), 0.2, 10);
    }

    /** One attempt. */
    public static RetryConfig none() {
        return defaults().withAttemptsMax(1);
    }

    public RetryConfig withAttemptsMax(int newMax) {
        return new RetryConfig(newMax, backoffMin, backoffMax, budgetShare, budgetPerSecond);
    }

    public RetryConfig withBackoff(Duration newMin, Duration newMax) {
        return new RetryConfig(attemptsMax, newMin, newMax, budgetShare, budgetPerSecond);
    }

    public RetryConfig withBudget(double newShare, double newPerSecond) {
        return new RetryConfig(attemptsMax, backoffMin, backoffMax, newShare, newPerSecond);
    }
}
