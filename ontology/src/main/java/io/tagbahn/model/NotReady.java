// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.time.Duration;
import java.util.Optional;

/** The node cannot answer truthfully yet, or no longer: ask another node, or this one again later. */
public final class NotReady extends RegistryException {

    private final Optional<Duration> retryAfter;

    public NotReady(String message, Optional<Duration> retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
