// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import org.jspecify.annotations.Nullable;

/**
 * The time-outs of one connection, as time stamps that are looked at now and then: no timer is set or moved for a read.
 *
 * <p>A message on its way makes headway where at least {@link #HEADWAY_BYTES_MIN} bytes come in each time-out: a byte
 * now and then does not keep a connection.
 */
final class ConnectionClock {

    static final int HEADWAY_BYTES_MIN = 1 << 14;

    private final long firstFrameTimeoutNanos;
    private final long stalledFrameTimeoutNanos;
    private final long idleTimeoutNanos;
    private final long openedNanos;
    private final LoopTimes loop;

    private boolean anyMessage;
    private boolean paused;
    private long lastReadNanos;
    /** Since when what was read last may have waited in the kernel, and whether more may wait there. */
    private long unreadSinceNanos;

    private boolean moreUnread;
    private long lastCallEndNanos;
    /** Since when the message on its way is watched, and the bytes that have come since. */
    private long windowNanos;

    private long windowBytes;
    private boolean windowOpen;
    private long unwritableNanos;
    private long bytesBeforeWritable = -1;
    private long closingNanos;
    private boolean closing;

    ConnectionClock(RpcLimits limits, LoopTimes loop, long nowNanos) {
        this.loop = loop;
        firstFrameTimeoutNanos = limits.firstFrameTimeout().toNanos();
        stalledFrameTimeoutNanos = limits.stalledFrameTimeout().toNanos();
        idleTimeoutNanos = limits.idleTimeout().toNanos();
        openedNanos = nowNanos;
        lastReadNanos = nowNanos;
        lastCallEndNanos = nowNanos;
    }

    /** @param more may be there to read */
    void received(int bytes, boolean more, long nowNanos) {
        lastReadNanos = nowNanos;
        if (!moreUnread) {
            unreadSinceNanos = loop.unreadSince(nowNanos);
        }
        moreUnread = more;
        if (!windowOpen) {
            windowOpen = true;
            windowNanos = nowNanos;
            windowBytes = 0;
        }
        windowBytes += bytes;
    }

    void messageTaken() {
        anyMessage = true;
        windowOpen = false;
    }

    void callEnded(long nowNanos) {
        lastCallEndNanos = nowNanos;
    }

    /** While the connection isn't read, nothing can be said against its sender. */
    void readingChanged(boolean reads, long nowNanos) {
        paused = !reads;
        windowOpen = false;
        moreUnread = false; // bytes that were left for other reasons say nothing of how busy the loop is
        if (reads) {
            lastReadNanos = nowNanos;
        }
    }

    void writabilityChanged(boolean writable, long nowNanos) {
        unwritableNanos = nowNanos;
        bytesBeforeWritable = writable ? -1 : Long.MAX_VALUE;
    }

    /** Since when what was read last may have waited to be read. */
    long unreadSinceNanos() {
        return unreadSinceNanos;
    }

    long lastReadNanos() {
        return lastReadNanos;
    }

    /** Whether a connection that is being closed has not managed to within the time of a stalled frame. */
    boolean closingSince(long nowNanos) {
        if (!closing) {
            closing = true;
            closingNanos = nowNanos;
        }
        return nowNanos - closingNanos >= stalledFrameTimeoutNanos;
    }

    /** The time-out that is over, or null. */
    @Nullable
    CloseReason due(
            long nowNanos,
            int callsInFlight,
            boolean formKnown,
            int partialBytes,
            boolean writable,
            long bytesUntilWritable) {
        if (!writable) {
            if (bytesUntilWritable != bytesBeforeWritable) {
                bytesBeforeWritable = bytesUntilWritable;
                unwritableNanos = nowNanos;
            }
            return nowNanos - unwritableNanos >= stalledFrameTimeoutNanos ? CloseReason.STALLED_READER : null;
        }
        if (paused) {
            return null;
        }
        if (!formKnown) {
            return nowNanos - openedNanos >= firstFrameTimeoutNanos ? CloseReason.FIRST_FRAME_TIMEOUT : null;
        }
        if (partialBytes > 0) {
            return partialDue(nowNanos);
        }
        long idleNanos = Math.min(nowNanos - lastReadNanos, nowNanos - lastCallEndNanos);
        return callsInFlight == 0 && idleNanos >= idleTimeoutNanos ? CloseReason.IDLE : null;
    }

    private @Nullable CloseReason partialDue(long nowNanos) {
        if (!windowOpen) {
            windowOpen = true;
            windowNanos = nowNanos;
            windowBytes = 0;
        }
        long timeoutNanos = anyMessage ? stalledFrameTimeoutNanos : firstFrameTimeoutNanos;
        if (nowNanos - windowNanos < timeoutNanos) {
            return null;
        }
        if (windowBytes >= HEADWAY_BYTES_MIN) {
            windowNanos = nowNanos;
            windowBytes = 0;
            return null;
        }
        return anyMessage ? CloseReason.STALLED_FRAME : CloseReason.FIRST_FRAME_TIMEOUT;
    }
}
