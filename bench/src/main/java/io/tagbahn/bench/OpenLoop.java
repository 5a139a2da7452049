// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * A load at a given rate, whatever becomes of the calls. Latencies count from when a call was due, not from when it
 * could be sent: a server that pauses has the calls that came meanwhile in its figures.
 */
public final class OpenLoop {

    /** How long the pacing thread sleeps at least: shorter sleeps cost more than they are exact. */
    private static final long SLEEP_NANOS_MIN = 50_000;

    private final double ratePerSecond;
    private final LongSupplier nanoTicker;
    private final Supplier<? extends CompletionStage<?>> call;

    /** @param call makes the next one; called by the thread that runs this */
    public OpenLoop(double ratePerSecond, LongSupplier nanoTicker, Supplier<? extends CompletionStage<?>> call) {
        if (!(ratePerSecond > 0)) {
            throw new IllegalArgumentException("ratePerSecond " + ratePerSecond);
        }
        this.ratePerSecond = ratePerSecond;
        this.nanoTicker = nanoTicker;
        this.call = call;
    }

    /** Runs for a while, and until the last call has been answered. */
    public LoopOutcome run(Duration duration) throws InterruptedException {
        long startNanos = nanoTicker.getAsLong();
        int total = Math.max(1, Math.toIntExact((long) (ratePerSecond * duration.toNanos() / 1e9)));
        Recorder latencyNanos = new Recorder(LoopOutcome.LATENCY_NANOS_MAX, 3);
        LongAdder failures = new LongAdder();
        CountDownLatch open = new CountDownLatch(total);
        for (int i = 0; i < total; i++) {
            long dueNanos = startNanos + (long) (i * 1e9 / ratePerSecond);
            awaitTime(dueNanos);
            call.get().whenComplete((result, failure) -> {
                if (failure == null) {
                    long nanos = nanoTicker.getAsLong() - dueNanos;
                    latencyNanos.recordValue(Math.min(Math.max(nanos, 0), LoopOutcome.LATENCY_NANOS_MAX));
                } else {
                    failures.increment();
                }
                open.countDown();
            });
        }
        open.await();
        double seconds = (nanoTicker.getAsLong() - startNanos) / 1e9;
        Histogram all = latencyNanos.getIntervalHistogram();
        return new LoopOutcome(all.getTotalCount(), failures.sum(), all.getTotalCount() / seconds, all);
    }

    private void awaitTime(long dueNanos) {
        for (long left = dueNanos - nanoTicker.getAsLong(); left > 0; left = dueNanos - nanoTicker.getAsLong()) {
            LockSupport.parkNanos(Math.max(left, SLEEP_NANOS_MIN));
        }
    }
}
