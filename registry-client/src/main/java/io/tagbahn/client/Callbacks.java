// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which code of the library's user runs: listeners, and what follows on the stages that the user was given.
 *
 * <p>Such code may block, and may make blocking calls of the client: it holds up other such code only, neither
 * heartbeats nor the network.
 */
final class Callbacks implements Executor {

    /** Tasks that wait; one more runs where it comes from (stages) or is dropped (listeners). */
    static final int WAITING_MAX = 100_000;

    private static final long IDLE_SECONDS = 10;
    private static final Logger log = LoggerFactory.getLogger(Callbacks.class);

    private final ExecutorService executor;

    Callbacks(ExecutorService executor) {
        this.executor = executor;
    }

    /** Callbacks on one daemon thread of this name, which is there while there is something to do. */
    static Callbacks onThread(String name) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING_MAX), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return new Callbacks(executor);
    }

    /** Runs a task on the thread; where that is no longer possible, at once, because a stage has to complete. */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /** Tells a listener something; its exceptions are logged and stop nothing. */
    void tell(Runnable listener) {
        try {
            executor.execute(() -> guarded(listener));
        } catch (RejectedExecutionException e) {
            log.warn("a registration event was dropped: {} tasks wait, or the client is closed", WAITING_MAX);
        }
    }

    /** A listener's task of which one at most waits; it is not dropped where too many tasks wait. */
    Coalesced coalesced(Timer timer, Runnable listener) {
        return new Coalesced(executor, timer, () -> guarded(listener));
    }

    private static void guarded(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            log.warn("a listener failed", e);
        }
    }

    /** The same result, on this thread. */
    <T> CompletionStage<T> on(CompletionStage<T> stage) {
        CompletableFuture<T> handed = new CompletableFuture<>();
        stage.whenCompleteAsync(
                (value, error) -> {
                    if (error == null) {
                        handed.complete(value);
                    } else {
                        handed.completeExceptionally(Failures.of(error));
                    }
                },
                this);
        return handed; // a view of it would wrap the exceptions
    }

    /** Takes nothing more; what waits still runs. */
    void close() {
        executor.shutdown();
    }
}
