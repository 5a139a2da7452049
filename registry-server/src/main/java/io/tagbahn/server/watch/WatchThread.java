// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.model.NotReady;
import io.tagbahn.server.cluster.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a {@link WatchHub}: a timer whose tasks never end each other, and that takes none once it is closed. */
final class WatchThread {

    private static final Duration NOW = Duration.ZERO;
    private static final Logger log = LoggerFactory.getLogger(WatchThread.class);

    private final Timer timer;
    private final Runnable endTimer;
    /** Guarded by this, so that the task that comes last is certainly behind all others. */
    private boolean closed;

    /** @param endTimer what is done once the last task has run */
    WatchThread(Timer timer, Runnable endTimer) {
        this.timer = timer;
        this.endTimer = endTimer;
    }

    /** Has something done, in the order of the calls; whoever waits for it is told where it is not done any more. */
    void submit(CompletableFuture<?> waiting, Runnable task) {
        boolean taken;
        synchronized (this) {
            taken = !closed;
            if (taken) {
                soon(NOW, task);
            }
        }
        if (!taken) {
            waiting.completeExceptionally(stopping());
        }
    }

    /** Has something done that nobody waits for; not done where the node stops. */
    void submit(Runnable task) {
        submit(new CompletableFuture<>(), task);
    }

    /** Has something done that nobody takes back. */
    void soon(Duration delay, Runnable task) {
        timer.after(delay, () -> safely(task));
    }

    Timer.Scheduled later(Duration delay, Runnable task) {
        return timer.after(delay, () -> safely(task));
    }

    private static void safely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("work on watches failed", e);
        }
    }

    /** Takes nothing more, has a last task done, and ends. */
    void close(Runnable last, Duration most) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        synchronized (this) {
            if (closed) {
                return;
            }
            submit(done, () -> {
                try {
                    last.run();
                } finally {
                    done.complete(true);
                }
            });
            closed = true;
        }
        try {
            done.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.warn("some of those who wait for changes were not told that the node stops", e);
        }
        endTimer.run();
    }

    static NotReady stopping() {
        return new NotReady("the node is stopping", Optional.empty());
    }
}
