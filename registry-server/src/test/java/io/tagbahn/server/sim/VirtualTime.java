// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** The time of a simulation, and what is to happen in it; equal times keep the order in which they were asked for. */
public final class VirtualTime {

    private record Event(long atNanos, long order, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
    private long nowNanos;
    private long nextOrder;

    public long nowNanos() {
        return nowNanos;
    }

    public void at(long nanos, Runnable action) {
        events.add(new Event(Math.max(nanos, nowNanos), nextOrder++, action));
    }

    public void after(Duration delay, Runnable action) {
        at(nowNanos + delay.toNanos(), action);
    }

    /** Lets this much time pass. */
    public void run(Duration time) {
        runUntil(() -> false, time);
    }

    /** Lets time pass until the condition holds, looked at every 10 ms; false where it did not within the limit. */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        long endNanos = nowNanos + limit.toNanos();
        long lookNanos = nowNanos;
        while (true) {
            if (nowNanos >= lookNanos) {
                if (condition.getAsBoolean()) {
                    return true;
                }
                lookNanos = nowNanos + 10_000_000;
            }
            Event next = events.peek();
            long nextNanos = Math.min(lookNanos, next == null ? Long.MAX_VALUE : next.atNanos());
            if (nextNanos > endNanos) {
                nowNanos = endNanos;
                return condition.getAsBoolean();
            }
            nowNanos = nextNanos;
            if (next != null && next.atNanos() == nextNanos) {
                events.poll();
                next.action().run();
            }
        }
    }
}
