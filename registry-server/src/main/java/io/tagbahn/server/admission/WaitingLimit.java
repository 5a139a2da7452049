// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import io.tagbahn.model.Criticality;

/**
 * How many calls may wait for other nodes: more while they are as quick as ever, fewer when they slow down.
 *
 * <p>Once in a while the mean latency of the calls that ended is compared with what it usually is. Up to twice the usual,
 * and in any case up to {@value #FAST_MILLIS} ms, the limit grows by its square root where it was needed; beyond, it
 * shrinks in proportion, to half at a time at most. The usual follows at once where calls become quicker, and slowly where they become slower, so
 * that an overload is not taken for the usual before long.
 *
 * <p>Sheddable calls get four fifths of it, critical ones half as much again: those find room when all the rest is taken.
 * May be used by many threads.
 */
public final class WaitingLimit {

    static final int LIMIT_MIN = 64;
    private static final int LIMIT_FIRST = 1_024;
    private static final long FAST_MILLIS = 20;
    private static final long WINDOW_NANOS = 100_000_000;
    private static final int ENDED_MIN = 20;
    private static final double TOLERANCE = 2;
    private static final double SLOWER_WEIGHT = 0.005;

    private final int most;
    private double limit;
    private int waiting;
    private int waitingMost;
    private long windowNanos;
    private boolean begun;
    private long tookNanos;
    private int ended;
    private double usualNanos;

    /** @param most that it ever allows */
    public WaitingLimit(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most " + most + " < 1");
        }
        this.most = most;
        this.limit = Math.min(most, LIMIT_FIRST);
    }

    /** Whether another call of this criticality finds room. */
    public synchronized boolean hasRoom(Criticality criticality) {
        return waiting
                < switch (criticality) {
                    case SHEDDABLE -> limit * 0.8;
                    case NORMAL -> limit;
                    case CRITICAL -> limit * 1.5;
                };
    }

    /** A call begins to wait. */
    public synchronized void begin() {
        waiting++;
        waitingMost = Math.max(waitingMost, waiting);
    }

    /** A call has waited for so long, and does no longer. */
    public synchronized void end(long took, long nowNanos) {
        waiting--;
        tookNanos += took;
        ended++;
        if (!begun) {
            begun = true;
            windowNanos = nowNanos;
        }
        if (nowNanos - windowNanos >= WINDOW_NANOS && ended >= ENDED_MIN) {
            closeWindow(nowNanos);
        }
    }

    private void closeWindow(long nowNanos) {
        double meanNanos = (double) tookNanos / ended;
        if (usualNanos == 0 || meanNanos < usualNanos) {
            usualNanos = meanNanos;
        } else {
            usualNanos += SLOWER_WEIGHT * (meanNanos - usualNanos);
        }
        double bearable = Math.max(TOLERANCE * usualNanos, FAST_MILLIS * 1e6);
        if (meanNanos > bearable) {
            limit *= Math.max(0.5, bearable / meanNanos);
        } else if (waitingMost > limit / 2) {
            limit += Math.sqrt(limit);
        }
        limit = Math.max(Math.min(LIMIT_MIN, most), Math.min(most, limit));
        windowNanos = nowNanos;
        tookNanos = 0;
        ended = 0;
        waitingMost = waiting;
    }

    /** Calls that may wait at present. */
    public synchronized int limit() {
        return (int) limit;
    }

    /** Calls that wait at present. */
    public synchronized int waiting() {
        return waiting;
    }
}
