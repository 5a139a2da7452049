// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The times for which the registry has asked to be left alone (RETRY_AFTER). What it rejected a call for holds for all that
 * are as critical or less, but not for those that are more so: they may well be served.
 */
final class Holds {

    /** Longer is not obeyed by other calls than the one that it was said to: one node may be mistaken. */
    static final Duration MAX = Duration.ofSeconds(10);

    private final LongSupplier nanos;
    private final long[] untilNanos = new long[Criticality.values().length]; // guarded by this

    Holds(LongSupplier nanos) {
        this.nanos = nanos;
        long now = nanos.getAsLong();
        for (int i = 0; i < untilNanos.length; i++) {
            untilNanos[i] = now;
        }
    }

    synchronized void ask(Criticality rejected, Duration time) {
        long until = nanos.getAsLong() + Math.min(time.toNanos(), MAX.toNanos());
        for (int i = 0; i <= rejected.ordinal(); i++) {
            if (until - untilNanos[i] > 0) {
                untilNanos[i] = until;
            }
        }
    }

    /** How long a call has to wait; absent where it need not. */
    synchronized Optional<Duration> left(Criticality criticality) {
        long left = untilNanos[criticality.ordinal()] - nanos.getAsLong();
        return left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }
}
