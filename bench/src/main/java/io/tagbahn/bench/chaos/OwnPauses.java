// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.util.concurrent.locks.LockSupport;

/** How long this process itself stood still: gaps no longer than that say nothing of the registry. */
final class OwnPauses implements AutoCloseable {

    private static final long BEAT_NANOS = 5_000_000;

    private final Thread thread = new Thread(this::watch, "chaos-pauses");
    private volatile boolean closed;
    private volatile long longestNanos;

    OwnPauses() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long beforeNanos = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(BEAT_NANOS);
            long nowNanos = System.nanoTime();
            longestNanos = Math.max(longestNanos, nowNanos - beforeNanos - BEAT_NANOS);
            beforeNanos = nowNanos;
        }
    }

    /** The longest so far; for the processor, not for sockets. */
    long longestNanos() {
        return longestNanos;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
