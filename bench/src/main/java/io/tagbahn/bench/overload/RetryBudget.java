// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

/**
 * What obedient callers allow themselves, as the client library does: a fifth of their calls may be made again, and calls
 * that would be refused with some likelihood are kept back with it.
 */
final class RetryBudget {

    private static final double RETRIES_PER_CALL = 0.2;
    private static final double RETRIES_MAX = 100;
    /** Half of what was counted is forgotten once in so many nanoseconds. */
    private static final long HALF_LIFE_NANOS = 2_000_000_000L;

    private static final double ACCEPTS_FACTOR = 2;

    private double retries = 10;
    private double requests;
    private double accepts;
    private long forgottenNanos;

    /** How likely a call is to be kept back. */
    double keptBackShare() {
        return Math.max(0, (requests - ACCEPTS_FACTOR * accepts) / (requests + 1));
    }

    void called(long nowNanos) {
        if (nowNanos - forgottenNanos > HALF_LIFE_NANOS) {
            forgottenNanos = nowNanos;
            requests /= 2;
            accepts /= 2;
        }
        retries = Math.min(RETRIES_MAX, retries + RETRIES_PER_CALL);
    }

    /** A call has ended, or was kept back: before that it says nothing. */
    void ended(boolean accepted) {
        requests++;
        accepts += accepted ? 1 : 0;
    }

    boolean takeRetry() {
        if (retries < 1) {
            return false;
        }
        retries--;
        return true;
    }
}
