// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.RegistryException;
import io.tagbahn.server.store.Now;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** A writer that writes on the caller's thread, at a time that the test gives; at once, or when it is let go on. */
final class InlineWriter implements StoreWriter {

    private final Tick tick;
    private final Supplier<Now> clock;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean held;

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
        CompletableFuture<T> done = new CompletableFuture<>();
        waiting.add(() -> {
            try {
                done.complete(work.apply(clock.get()));
            } catch (RegistryException e) {
                done.completeExceptionally(e);
            }
        });
        if (!held) {
            waiting.remove().run();
        }
        return done;
    }

    /** Lets what comes from now on wait. */
    void hold() {
        held = true;
    }

    void goOn() {
        held = false;
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    @Override
    public void close() {
        // Nothing is left to do.
    }
}
