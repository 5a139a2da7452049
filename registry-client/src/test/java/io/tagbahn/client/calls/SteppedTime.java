// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/** Time that passes when the test says so, and what was to be done in it, in order. */
final class SteppedTime implements CallTimer, LongSupplier {

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
    private long nowNanos;
    private long number;

    private record Task(long dueNanos, long number, Runnable work) {}

    SteppedTime(long startNanos) {
        this.nowNanos = startNanos;
    }

    @Override
    public long getAsLong() {
        return nowNanos;
    }

    @Override
    public void execute(Runnable task) {
        after(Duration.ZERO, task);
    }

    @Override
    public Scheduled after(Duration delay, Runnable work) {
        Task task = new Task(nowNanos + delay.toNanos(), number++, work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Time passes. */
    void pass(Duration duration) {
        long endNanos = nowNanos + duration.toNanos();
        for (Task next = tasks.peek(); next != null && next.dueNanos() <= endNanos; next = tasks.peek()) {
            tasks.remove(next);
            nowNanos = Math.max(nowNanos, next.dueNanos());
            next.work().run();
        }
        nowNanos = endNanos;
    }
}
