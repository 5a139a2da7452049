// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Random pauses before repetitions, with full jitter: each is drawn evenly from zero to a bound that doubles, so that callers
 * that failed together do not come back together.
 *
 * @param min the first bound, above zero
 * @param max the bound however often it doubled
 * @see <a href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">Exponential Backoff And Jitter</a>
 */
public record Backoff(Duration min, Duration max) {

    private static final int DOUBLINGS_MAX = 30;

    public Backoff {
        if (min.isNegative() || min.isZero()) {
            throw new IllegalArgumentException("min " + min + " is not above zero");
        }
        if (max.compareTo(min) < 0) {
            throw new IllegalArgumentException("max " + max + " < min " + min);
        }
    }

    /** The longest that the pause after so many others may be. */
    public Duration bound(int pausesBefore) {
        long minNanos = min.toNanos();
        long maxNanos = max.toNanos();
        int doublings = Math.min(Math.max(pausesBefore, 0), DOUBLINGS_MAX);
        return Duration.ofNanos(minNanos > maxNanos >> doublings ? maxNanos : minNanos << doublings);
    }

    /** The pause after so many others. */
    public Duration pause(int pausesBefore, RandomGenerator random) {
        return Duration.ofNanos(random.nextLong(bound(pausesBefore).toNanos() + 1));
    }
}
