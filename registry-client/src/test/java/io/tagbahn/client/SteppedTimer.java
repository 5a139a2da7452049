// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A timer whose time moves only when it is told to; tasks run on the caller's thread, in the order of their times. */
final class SteppedTimer implements Timer, LongSupplier, InstantSource {

    private record Task(long atNanos, long order, Runnable runnable) {}

    private final PriorityQueue<Task> tasks = new PriorityQueue<>((one, other) -> one.atNanos != other.atNanos
            ? Long.compare(one.atNanos, other.atNanos)
            : Long.compare(one.order, other.order));
    private long nowNanos = 1_000_000_000L;
    private long order;

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(nowNanos, order++, task));
    }

    @Override
    public Scheduled after(Duration delay, Runnable task) {
        Task scheduled = new Task(nowNanos + delay.toNanos(), order++, task);
        tasks.add(scheduled);
        return () -> tasks.remove(scheduled);
    }

    @Override
    public long getAsLong() {
        return nowNanos;
    }

    /** Wall-clock time: some day, plus the time that has passed. */
    @Override
    public Instant instant() {
        return Instant.parse("2026-01-01T00:00:00Z").plusNanos(nowNanos);
    }

    Duration elapsed() {
        return Duration.ofNanos(nowNanos - 1_000_000_000L);
    }

    void run(Duration time) {
        long until = nowNanos + time.toNanos();
        while (!tasks.isEmpty() && tasks.peek().atNanos <= until) {
            step();
        }
        nowNanos = until;
    }

    /** Runs until the condition holds; fails where nothing is left to do, or after the time. */
    void runUntil(Duration atMost, BooleanSupplier condition) {
        long until = nowNanos + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (tasks.isEmpty() || tasks.peek().atNanos > until) {
                throw new AssertionError("not so within " + atMost);
            }
            step();
        }
    }

    private void step() {
        Task task = tasks.remove();
        nowNanos = Math.max(nowNanos, task.atNanos);
        task.runnable.run();
    }
}
