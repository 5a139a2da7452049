// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A timer with a thread of its own. */
public final class TimerThread implements Timer, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TimerThread.class);

    private final ScheduledThreadPoolExecutor executor;

    public TimerThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Scheduled after(Duration delay, Runnable task) {
        try {
            Future<?> scheduled = executor.schedule(() -> runSafely(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {}; // closed: nothing is done any more
        }
    }

    /** A task that fails is reported and must not end the others. */
    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("a task of the timer failed", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
