// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link CallTimer} with a daemon thread of its own. */
final class CallTimerThread implements CallTimer {

    private static final Logger log = LoggerFactory.getLogger(CallTimerThread.class);

    private final ScheduledThreadPoolExecutor executor;

    CallTimerThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        // Calls that are under way when it is closed still have to end in time.
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    }

    /** Once closed, runs the task at once: what goes on has to come to its end. */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /** Once closed, runs the task at once: there is no more time. */
    @Override
    public Scheduled after(Duration delay, Runnable task) {
        try {
            Future<?> future = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            task.run();
            return () -> {};
        }
    }

    void close() {
        executor.shutdown();
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                // A scheduled executor would keep it to itself.
                log.error("a task of a caller failed", e);
            }
        };
    }
}
