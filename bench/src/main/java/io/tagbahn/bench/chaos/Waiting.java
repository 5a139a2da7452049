// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for what other processes do. */
final class Waiting {

    private static final Duration POLL = Duration.ofMillis(5);

    private Waiting() {}

    /** Whether the condition has come to hold in time. */
    static boolean until(BooleanSupplier condition, Duration longest) {
        long endNanos = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNanos > 0) {
                return false;
            }
            pause(POLL);
        }
        return true;
    }

    /** Waits for what has to come true for the scenario to make sense. */
    static void orFail(String what, BooleanSupplier condition, Duration longest) {
        if (!until(condition, longest)) {
            throw new ScenarioFailure(what + " has not come true within " + longest.toMillis() + " ms");
        }
    }

    static void pause(Duration length) {
        long endNanos = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw interrupted();
            }
        }
    }

    /**
     * What an interruption becomes: it ends the scenario. The thread is not interrupted any more, as what comes is
     * cleaning up, which has to wait as well.
     */
    static ScenarioFailure interrupted() {
        return new ScenarioFailure("interrupted");
    }
}
