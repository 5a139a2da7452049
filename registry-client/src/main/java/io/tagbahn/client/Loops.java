// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What calls need that are made one after the other for as long as the client is open.
 *
 * @param isClosed whether the client is
 */
record Loops(CallGuard guard, Timer timer, LongSupplier nanos, RandomGenerator random, BooleanSupplier isClosed) {

    /** Answers that come in quicker succession than this are not asked for: what changes meanwhile is told at once. */
    static final Duration PAUSE = Duration.ofMillis(50);

    private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);

    /** How long to wait before the next call, where the one before was answered at this time. */
    Duration pauseSince(long answeredNanos) {
        long left = PAUSE.toNanos() - (nanos.getAsLong() - answeredNanos);
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(Math.min(left, PAUSE.toNanos()));
    }

    /** How long to wait after so many failures in a row before this one. */
    Duration pauseAfter(int failures) {
        long capNanos = Math.min(BACKOFF_MAX.toNanos(), BACKOFF_MIN.toNanos() << Math.min(failures, 16));
        return Duration.ofNanos(capNanos / 2 + random.nextLong(capNanos / 2 + 1));
    }

    /** Has the next call made; false where the client is closed. */
    boolean after(Duration pause, Runnable call) {
        try {
            if (pause.isZero()) {
                call.run();
            } else {
                timer.after(pause, call);
            }
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }
}
