// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** One log line a second for an event that others can cause as often as they like; the rest is counted. */
final class LogBudget {

    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final LongSupplier nanoTicker;
    private final AtomicLong nextNanos;
    private final AtomicLong suppressed = new AtomicLong();

    LogBudget(LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
        nextNanos = new AtomicLong(nanoTicker.getAsLong());
    }

    /** How many lines were left out since the last one; -1 where this one is to be left out too. */
    long take() {
        long now = nanoTicker.getAsLong();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            suppressed.incrementAndGet();
            return -1;
        }
        return suppressed.getAndSet(0);
    }
}
