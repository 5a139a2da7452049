// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.util.concurrent.CompletableFuture;

/** The wish of whoever started the command that it should end: SIGINT or SIGTERM, raised once and for good. */
final class StopSignal {

    private final CompletableFuture<Void> raised = new CompletableFuture<>();
    private volatile boolean heeded;

    /** Says that the command ends in order when the signal comes; otherwise the process ends at once. */
    void heed() {
        heeded = true;
    }

    boolean isHeeded() {
        return heeded;
    }

    void raise() {
        raised.complete(null);
    }

    boolean isRaised() {
        return raised.isDone();
    }

    /** Waits for the signal. */
    void await() {
        raised.join();
    }

    /** Waits for the signal or for the end of something else, which may be a failure: {@link #isRaised} tells. */
    void awaitOr(CompletableFuture<?> other) {
        CompletableFuture.anyOf(raised, other).handle((done, error) -> done).join();
    }
}
