// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The time that a query of many calls has left. */
final class QueryDeadline {

    private final LongSupplier nanos;
    private final long callNanosMax;
    private final long endsAtNanos;

    QueryDeadline(LongSupplier nanos, InferenceConfig config) {
        this.nanos = nanos;
        this.callNanosMax = config.callTimeout().toNanos();
        this.endsAtNanos = nanos.getAsLong() + config.timeout().toNanos();
    }

    /** How long the next call may take; next to nothing where the time is over, so that the call fails. */
    Duration ofCall() {
        return Duration.ofNanos(Math.max(1, Math.min(callNanosMax, endsAtNanos - nanos.getAsLong())));
    }
}
