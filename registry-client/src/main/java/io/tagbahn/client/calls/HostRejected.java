// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;
import java.util.Optional;

/**
 * The host did not take the call because it is overloaded, and did nothing for it: thrown by the function that makes the
 * call (for an HTTP status of 429, or of 503 with Retry-After), it has another host asked, and this one spared.
 */
public final class HostRejected extends CallFailure {

    private final Optional<Duration> retryAfter;

    public HostRejected(String message) {
        this(message, Optional.empty());
    }

    /** @param retryAfter how long the host wants to be left alone */
    public HostRejected(String message, Optional<Duration> retryAfter) {
        super(message, null);
        this.retryAfter = retryAfter;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
