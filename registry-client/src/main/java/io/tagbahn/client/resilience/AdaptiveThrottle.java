// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Rejection by the caller itself of what would most likely be rejected anyway: of the requests of the last two minutes, a
 * call fails here with the probability (requests − 2·accepts) ÷ (requests + 1), so that who is overloaded gets at most about
 * twice what it accepts.
 *
 * <p>Over two minutes alone, a client would go on rejecting for most of that time after the overload has ended. So the same
 * is asked of the last second, and the lower of the two holds: what is sent doubles each second as long as all of it is
 * accepted. Safe for use by many threads.
 *
 * @see <a href="https://sre.google/sre-book/handling-overload/">Site Reliability Engineering, Handling Overload</a>
 */
public final class AdaptiveThrottle {

    /** Out of fewer nothing can be told, and fewer are no load. */
    static final int REQUESTS_MIN = 10;

    private static final int REQUESTS = 0;
    private static final int ACCEPTS = 1;

    private final double multiplier;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final SlidingCounts whole; // guarded by this
    private final SlidingCounts recent; // guarded by this

    /**
     * @param multiplier requests let through for each that is accepted, above 1
     * @param window over which is counted
     * @param recent the last part of it, that ends the throttling
     */
    public AdaptiveThrottle(
            double multiplier, Duration window, Duration recent, LongSupplier nanos, RandomGenerator random) {
        if (!(multiplier > 1)) {
            throw new IllegalArgumentException("multiplier " + multiplier + " is not above 1");
        }
        if (recent.isNegative() || recent.isZero() || recent.compareTo(window) > 0) {
            throw new IllegalArgumentException("recent " + recent + " is not within 0.." + window);
        }
        this.multiplier = multiplier;
        this.nanos = nanos;
        this.random = random;
        long now = nanos.getAsLong();
        this.whole = new SlidingCounts(2, window, now);
        this.recent = new SlidingCounts(2, recent, now);
    }

    /** Twice what is accepted, over two minutes and over the last second. */
    public static AdaptiveThrottle standard(LongSupplier nanos, RandomGenerator random) {
        return new AdaptiveThrottle(2, Duration.ofMinutes(2), Duration.ofSeconds(1), nanos, random);
    }

    /** Whether a request may be sent; one that may not is counted by this, one that may by its outcome. */
    public synchronized boolean admits() {
        double refused = refusedShare();
        if (refused <= 0 || random.nextDouble() >= refused) {
            return true;
        }
        count(REQUESTS, nanos.getAsLong());
        return false;
    }

    /** A request was accepted, whatever became of it then. */
    public synchronized void accepted() {
        long now = nanos.getAsLong();
        count(REQUESTS, now);
        count(ACCEPTS, now);
    }

    /** A request was rejected for overload. What could not be delivered, or got no answer, is neither. */
    public synchronized void rejected() {
        count(REQUESTS, nanos.getAsLong());
    }

    /** The share of requests that are refused at the moment, 0..1. */
    public synchronized double refusedShare() {
        long now = nanos.getAsLong();
        return whole.sum(REQUESTS, now) < REQUESTS_MIN
                ? 0
                : Math.max(0, Math.min(share(whole, now), share(recent, now)));
    }

    private void count(int kind, long now) {
        whole.add(kind, now);
        recent.add(kind, now);
    }

    private double share(SlidingCounts counts, long now) {
        double requests = counts.sum(REQUESTS, now);
        return (requests - multiplier * counts.sum(ACCEPTS, now)) / (requests + 1);
    }
}
