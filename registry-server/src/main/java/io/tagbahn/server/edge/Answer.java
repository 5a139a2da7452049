// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.wire.WireErrors;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;

/** How the outcome of a call gets into the generated result: its value, or the error in the field for it. */
public final class Answer {

    private Answer() {}

    /**
     * Starts a call and puts its outcome into the result.
     *
     * <p>An error that the method doesn't declare is told as {@link Overloaded} with the signal to stop, where that is
     * declared; everything else is a fault of this node, for the transport to report.
     */
    public static <V, F extends TFieldIdEnum, R extends TBase<R, F>> CompletionStage<R> of(
            R result, Supplier<CompletionStage<V>> call, BiConsumer<R, V> success) {
        CompletionStage<V> started;
        try {
            started = call.get();
        } catch (RegistryException e) {
            return CompletableFuture.completedFuture(failed(result, e));
        }
        return started.handle((value, error) -> {
            if (error == null) {
                success.accept(result, value);
                return result;
            }
            Throwable cause =
                    error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
            if (cause instanceof RegistryException refusal) {
                return failed(result, refusal);
            }
            throw new CompletionException(cause);
        });
    }

    private static <F extends TFieldIdEnum, R extends TBase<R, F>> R failed(R result, RegistryException error) {
        return WireErrors.fail(result, error)
                .or(() -> WireErrors.fail(
                        result, new Overloaded(String.valueOf(error.getMessage()), Signal.STOP, Optional.empty())))
                .orElseThrow(() -> error);
    }
}
