// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.function.LongSupplier;

/**
 * What one event loop does with its time: how long it has slept, and since when bytes may lie unread in the kernel.
 *
 * <p>A loop polls, serves every connection that had bytes, does its tasks, and polls again. Bytes that are found in
 * such a round came after the poll before it, or after the connection was last read to its end: that is all that can be
 * known of how long they have waited, as the kernel doesn't say. Belongs to the thread of the loop.
 */
public final class LoopTimes {

    /** A poll that takes less may have found something at once; one that takes longer has waited for it. */
    private static final long POLL_NANOS_MAX = 1_000_000;

    private final LongSupplier nanoTicker;
    private long idleNanos;
    private long roundNanos;
    private long polledNanos;
    private long polledBeforeNanos;
    private long wokenNanos;
    private boolean working;

    /** Of a loop that begins now. */
    public LoopTimes(LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
        roundNanos = nanoTicker.getAsLong();
        polledNanos = roundNanos;
        polledBeforeNanos = roundNanos;
        wokenNanos = roundNanos;
    }

    /** How long the loop has slept since it began, in all. */
    public long idleNanos() {
        return idleNanos;
    }

    void roundBegins() {
        roundNanos = nanoTicker.getAsLong();
        polledBeforeNanos = polledNanos;
        working = false;
    }

    /** @param activeNanos of this round, for which bytes were read and calls served */
    void roundEnded(long activeNanos) {
        long nowNanos = nanoTicker.getAsLong();
        long sleptNanos = Math.max(0, nowNanos - roundNanos - activeNanos);
        polledNanos = roundNanos + sleptNanos;
        idleNanos += sleptNanos;
    }

    /** Since when bytes that are found now may have waited, on a connection that had none the last time. */
    long unreadSince(long nowNanos) {
        if (!working) {
            working = true;
            wokenNanos = nowNanos;
        }
        boolean slept = wokenNanos - roundNanos > POLL_NANOS_MAX;
        return slept ? wokenNanos : polledBeforeNanos;
    }
}
