// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of pending calls in a ring of slots of a few milliseconds: putting a call in and taking it out costs
 * the same however many there are. Belongs to one thread and knows no clock.
 */
final class DeadlineWheel {

    static final long TICK_NANOS = 4_000_000;
    private static final int SLOTS = 512;

    private final @Nullable PendingCall<?>[] slots = new PendingCall<?>[SLOTS];
    private long tick;
    private int size;

    DeadlineWheel(long nowNanos) {
        tick = Math.floorDiv(nowNanos, TICK_NANOS);
    }

    /** Passes over time in which the wheel was empty. */
    void skipTo(long nowNanos) {
        tick = Math.max(tick, Math.floorDiv(nowNanos, TICK_NANOS));
    }

    int size() {
        return size;
    }

    void add(PendingCall<?> call) {
        // A call that is due already goes into the next slot to be looked at.
        long due = Math.max(Math.floorDiv(call.deadlineNanos, TICK_NANOS) + 1, tick + 1);
        int slot = (int) Math.floorMod(due, (long) SLOTS);
        PendingCall<?> head = slots[slot];
        call.slot = slot;
        call.before = null;
        call.after = head;
        if (head != null) {
            head.before = call;
        }
        slots[slot] = call;
        size++;
    }

    void remove(PendingCall<?> call) {
        if (call.slot < 0) {
            return;
        }
        PendingCall<?> before = call.before;
        PendingCall<?> after = call.after;
        if (before == null) {
            slots[call.slot] = after;
        } else {
            before.after = after;
        }
        if (after != null) {
            after.before = before;
        }
        call.slot = -1;
        call.before = null;
        call.after = null;
        size--;
    }

    /** Takes out the calls whose deadline is over. */
    void advance(long nowNanos, Consumer<PendingCall<?>> expired) {
        long now = Math.floorDiv(nowNanos, TICK_NANOS);
        // After a long pause every slot is looked at once.
        tick = Math.max(tick, now - SLOTS);
        while (tick < now) {
            tick++;
            PendingCall<?> call = slots[(int) Math.floorMod(tick, (long) SLOTS)];
            while (call != null) {
                PendingCall<?> after = call.after;
                if (call.deadlineNanos - nowNanos <= 0) {
                    remove(call);
                    expired.accept(call);
                }
                call = after;
            }
        }
    }
}
