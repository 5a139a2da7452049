// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for what processes need a moment for. */
final class Patience {

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Patience() {}

    /** @throws IllegalStateException where it has not come about in a long while */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long endNanos = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IllegalStateException("waited " + LONGEST.toSeconds() + " s for " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
