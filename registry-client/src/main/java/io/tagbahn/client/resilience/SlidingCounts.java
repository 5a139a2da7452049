// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import java.time.Duration;

/**
 * Counts over the last while, of several kinds: a ring of slots of equal length, of which those that are older than the
 * window are dropped whole. Not safe for several threads.
 */
public final class SlidingCounts {

    private static final int SLOTS = 20;

    private final int kinds;
    private final long slotNanos;
    private final long[] counts;
    private final long[] sums;
    private long slotNow;

    /** @param window what is counted is between this long and a twentieth of it shorter ago */
    public SlidingCounts(int kinds, Duration window, long nowNanos) {
        this.kinds = kinds;
        this.slotNanos = Math.max(1, window.toNanos() / SLOTS);
        this.counts = new long[kinds * SLOTS];
        this.sums = new long[kinds];
        this.slotNow = slot(nowNanos);
    }

    public void add(int kind, long nowNanos) {
        advance(nowNanos);
        counts[place(slotNow) + kind]++;
        sums[kind]++;
    }

    public long sum(int kind, long nowNanos) {
        advance(nowNanos);
        return sums[kind];
    }

    private long slot(long nowNanos) {
        return Math.floorDiv(nowNanos, slotNanos);
    }

    private int place(long slot) {
        return Math.floorMod(slot, SLOTS) * kinds;
    }

    private void advance(long nowNanos) {
        long slot = slot(nowNanos);
        long passed = Math.min(slot - slotNow, SLOTS); // a clock that is read by several threads may seem to step back
        for (long i = 1; i <= passed; i++) {
            int place = place(slot - passed + i);
            for (int kind = 0; kind < kinds; kind++) {
                sums[kind] -= counts[place + kind];
                counts[place + kind] = 0;
            }
        }
        slotNow = Math.max(slotNow, slot);
    }
}
