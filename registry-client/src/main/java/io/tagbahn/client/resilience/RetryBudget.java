// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many repetitions all calls of one client may make together: within the window, a share of the calls that were made in
 * it, and so many for each of its seconds besides, so that a client that calls rarely can repeat at all.
 *
 * <p>Without it, each caller that tries three times triples the load on who is slow already. Safe for use by many threads.
 */
public final class RetryBudget {

    private static final int CALLS = 0;
    private static final int RETRIES = 1;

    private final double share;
    private final double besides;
    private final LongSupplier nanos;
    private final SlidingCounts counts; // guarded by this

    /**
     * @param share repetitions for each call, 0..1
     * @param perSecond repetitions for each second of the window besides, 0 or more
     * @param window 1 ms or more
     */
    public RetryBudget(double share, double perSecond, Duration window, LongSupplier nanos) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share " + share + " is not within 0..1");
        }
        if (!(perSecond >= 0)) {
            throw new IllegalArgumentException("perSecond " + perSecond + " < 0");
        }
        if (window.toMillis() < 1) {
            throw new IllegalArgumentException("window " + window + " < 1 ms");
        }
        this.share = share;
        this.besides = perSecond * window.toNanos() / 1e9;
        this.nanos = nanos;
        this.counts = new SlidingCounts(2, window, nanos.getAsLong());
    }

    /** A budget of a fifth of the calls and ten a second over ten seconds. */
    public static RetryBudget standard(LongSupplier nanos) {
        return new RetryBudget(0.2, 10, Duration.ofSeconds(10), nanos);
    }

    /** A call was made: its first attempt, which needs no budget. */
    public synchronized void called() {
        counts.add(CALLS, nanos.getAsLong());
    }

    /** Takes one repetition out of the budget; false where there is none left, and nothing may be repeated. */
    public synchronized boolean tryRetry() {
        long now = nanos.getAsLong();
        return take(share * counts.sum(CALLS, now) + besides, now);
    }

    /**
     * Takes one repetition out of the share alone, of which one is always there: for calls that were rejected for
     * overload, where what many clients may do besides adds up to more load than the calls themselves.
     */
    public synchronized boolean tryRetryWithinShare() {
        long now = nanos.getAsLong();
        double most = share * counts.sum(CALLS, now);
        return take(besides > 0 ? Math.max(1, most) : most, now);
    }

    private boolean take(double most, long now) {
        if (counts.sum(RETRIES, now) + 1 > most) {
            return false;
        }
        counts.add(RETRIES, now);
        return true;
    }
}
