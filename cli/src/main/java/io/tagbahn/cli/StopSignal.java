// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

    /** Waits for the signal, so long at most; whether it has come. */
    boolean await(Duration longest) {
        try {
            raised.get(longest.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // nothing completes it so
        }
    }

    /** Waits for the signal or for the end of something else, which may be a failure: {@link #isRaised} tells. */
    void awaitOr(CompletableFuture<?> other) {
        CompletableFuture.anyOf(raised, other).handle((done, error) -> done).join();
    }
}
