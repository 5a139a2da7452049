// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What went wrong, freed from the wrappings that stages and futures put around it. */
final class Failures {

    /** A call completes by its deadline; this much later something is broken, and a blocked caller is let go. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private Failures() {}

    static Throwable unwrap(Throwable error) {
        Throwable cause = error.getCause();
        return (error instanceof CompletionException || error instanceof ExecutionException) && cause != null
                ? unwrap(cause)
                : error;
    }

    /** The failure in the caller's terms; what is no {@link RegistryException} is a fault of the library. */
    static RegistryException of(Throwable error) {
        Throwable cause = unwrap(error);
        if (cause instanceof RejectedExecutionException) {
            return new Overloaded("more queries wait for inference than may", Signal.RETRY_AFTER, Optional.empty());
        }
        return cause instanceof RegistryException known
                ? known
                : new RegistryFault("the call failed inside the client: " + cause, cause);
    }

    /**
     * Waits for an answer.
     *
     * @throws RegistryException the call's own; OutcomeUnknown where the thread is interrupted (it stays so)
     */
    static <T> T await(CompletableFuture<T> answer, Duration deadline) {
        try {
            return answer.get(deadline.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw of(e);
        } catch (TimeoutException e) {
            throw new OutcomeUnknown("no answer within " + deadline.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknown("interrupted before an answer came", e);
        }
    }
}
