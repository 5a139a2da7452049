// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.StaleGeneration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls that are made again where a node is too busy for them, as services do it through the client library. */
public final class Insistence {

    private static final int ATTEMPTS_MAX = 10;
    private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

    private Insistence() {}

    /**
     * Makes a call until it is done, fails for good or has been made ten times.
     *
     * @param again makes it once more; part of it may have been carried out
     */
    public static <R> CompletableFuture<R> on(
            Supplier<CompletableFuture<R>> call, Supplier<CompletableFuture<R>> again) {
        return on(call, again, ATTEMPTS_MAX);
    }

    private static <R> CompletableFuture<R> on(
            Supplier<CompletableFuture<R>> call, Supplier<CompletableFuture<R>> again, int attempts) {
        return call.get().exceptionallyCompose(error -> {
            if (attempts == 1 || !isPassing(error.getCause())) {
                return CompletableFuture.failedFuture(error);
            }
            return CompletableFuture.completedFuture(attempts - 1)
                    .thenComposeAsync(left -> on(again, again, left), LATER);
        });
    }

    private static boolean isPassing(@Nullable Throwable cause) {
        return cause instanceof Overloaded
                || cause instanceof NotReady
                || cause instanceof OutcomeUnknown
                || cause instanceof StaleGeneration;
    }
}
