// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.RegistryException;
import io.tagbahn.server.store.Now;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** A writer that writes on the caller's thread, at a time that the test gives. */
final class InlineWriter implements StoreWriter {

    private final Tick tick;
    private final Supplier<Now> clock;

    InlineWriter(Tick tick, Supplier<Now> clock) {
        this.tick = tick;
        this.clock = clock;
    }

    @Override
    public void start() {
        // Nothing waits to be started.
    }

    void tick() {
        while (tick.tick(clock.get())) {
            // until nothing is left to do
        }
    }

    @Override
    public <T> CompletionStage<T> submit(long deadlineNanos, Function<Now, T> work) {
        try {
            return CompletableFuture.completedFuture(work.apply(clock.get()));
        } catch (RegistryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {
        // Nothing is left to do.
    }
}
