// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link Timer} with a daemon thread of its own. */
final class TimerThread implements Timer {

    private static final Logger log = LoggerFactory.getLogger(TimerThread.class);

    private final ScheduledThreadPoolExecutor executor;

    TimerThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(guarded(task));
    }

    @Override
    public Scheduled after(Duration delay, Runnable task) {
        Future<?> future = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Drops what waits; a task that has begun ends. */
    void close() {
        executor.shutdown();
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                // A scheduled executor would keep it to itself.
                log.error("a task of the registry client failed", e);
            }
        };
    }
}
