// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.time.Duration;
import java.util.Optional;

/** The call was rejected before any work was done on it; {@link #signal()} says what to do next. */
public final class Overloaded extends RegistryException {

    private final Signal signal;
    private final Optional<Duration> retryAfter;

    public Overloaded(String message, Signal signal, Optional<Duration> retryAfter) {
        super(message);
        this.signal = signal;
        this.retryAfter = retryAfter;
    }

    public Signal signal() {
        return signal;
    }

    /** How long to wait, where the signal is {@link Signal#RETRY_AFTER}. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
