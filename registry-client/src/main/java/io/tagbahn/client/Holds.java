// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
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
    private final Map<Criticality, Long> untilNanos = new EnumMap<>(Criticality.class); // guarded by this

    Holds(LongSupplier nanos) {
        this.nanos = nanos;
    }

    synchronized void ask(Criticality rejected, Duration time) {
        long until = nanos.getAsLong() + Math.min(time.toNanos(), MAX.toNanos());
        for (Criticality each : Criticality.values()) {
            if (each.compareTo(rejected) <= 0) {
                untilNanos.merge(each, until, (one, other) -> one - other > 0 ? one : other);
            }
        }
    }

    /** How long a call has to wait; absent where it need not. */
    synchronized Optional<Duration> left(Criticality criticality) {
        Long until = untilNanos.get(criticality);
        long left = until == null ? 0 : until - nanos.getAsLong();
        return left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }
}
