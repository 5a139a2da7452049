// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Threads that do things at the same time, and clean up when they are told to end. */
final class Lanes implements AutoCloseable {

    private static final long END_SECONDS_MAX = 30;

    private final ExecutorService executor;
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();

    Lanes(String name, int count) {
        executor = Executors.newFixedThreadPool(count, task -> new Thread(task, name));
    }

    /** Begins with this as soon as a lane is free. */
    void begin(Runnable task) {
        ends.add(CompletableFuture.runAsync(task, executor));
    }

    /** Waits for the end of all, and throws what one of them has thrown. */
    void await() {
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new ScenarioFailure("failed", e);
        } catch (InterruptedException e) {
            throw Waiting.interrupted();
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new ScenarioFailure("something has not ended within " + END_SECONDS_MAX + " s");
            }
        } catch (InterruptedException e) {
            throw Waiting.interrupted();
        }
    }
}
