// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * A load that keeps a fixed number of calls in flight on each of several connections: whatever comes back is followed
 * by the next call.
 *
 * <p>Such a load waits for a server that pauses, so its latencies say nothing of calls that would have come in the
 * meantime: use it for capacity.
 */
public final class ClosedLoop {

    private static final long LATENCY_NANOS_MAX = LoopOutcome.LATENCY_NANOS_MAX;

    private final int connections;
    private final int inFlight;
    private final LongSupplier nanoTicker;
    private final IntFunction<Supplier<? extends CompletionStage<?>>> calls;

    /**
     * @param inFlight calls in flight on each connection
     * @param calls by number of the connection, from 0: what makes the next call on it
     */
    public ClosedLoop(
            int connections,
            int inFlight,
            LongSupplier nanoTicker,
            IntFunction<Supplier<? extends CompletionStage<?>>> calls) {
        if (connections < 1 || inFlight < 1) {
            throw new IllegalArgumentException("connections " + connections + ", inFlight " + inFlight);
        }
        this.connections = connections;
        this.inFlight = inFlight;
        this.nanoTicker = nanoTicker;
        this.calls = calls;
    }

    /** Runs for a while; the calls that are in flight at its end are waited for and not counted. */
    public LoopOutcome run(Duration duration) throws InterruptedException {
        long startNanos = nanoTicker.getAsLong();
        long endNanos = startNanos + duration.toNanos();
        LongAdder failures = new LongAdder();
        List<Lane> lanes = new ArrayList<>();
        CountDownLatch ended = new CountDownLatch(connections * inFlight);
        for (int connection = 0; connection < connections; connection++) {
            Supplier<? extends CompletionStage<?>> call = calls.apply(connection);
            for (int i = 0; i < inFlight; i++) {
                lanes.add(new Lane(call, endNanos, failures, ended));
            }
        }
        lanes.forEach(Lane::next);
        ended.await();
        Histogram all = new Histogram(LATENCY_NANOS_MAX, 3);
        lanes.forEach(lane -> all.add(lane.latencyNanos));
        long count = all.getTotalCount();
        return new LoopOutcome(count, failures.sum(), count / (duration.toNanos() / 1e9), all);
    }

    /** One call after the other; whoever completes a call makes the next. */
    private final class Lane {

        private final Supplier<? extends CompletionStage<?>> call;
        private final long endNanos;
        private final LongAdder failures;
        private final CountDownLatch ended;
        private final Histogram latencyNanos = new Histogram(LATENCY_NANOS_MAX, 2);
        private long sentNanos;

        /** Calls that complete at once would nest one in the other: they are repeated in a loop instead. */
        private boolean sending;

        private boolean completedMeanwhile;

        Lane(Supplier<? extends CompletionStage<?>> call, long endNanos, LongAdder failures, CountDownLatch ended) {
            this.call = call;
            this.endNanos = endNanos;
            this.failures = failures;
            this.ended = ended;
        }

        void next() {
            boolean again = true;
            while (again) {
                again = send();
            }
        }

        private boolean send() {
            sentNanos = nanoTicker.getAsLong();
            if (sentNanos - endNanos >= 0) {
                ended.countDown();
                return false;
            }
            CompletionStage<?> stage = call.get();
            synchronized (this) {
                sending = true;
                completedMeanwhile = false;
            }
            stage.whenComplete((result, failure) -> completed(failure == null));
            synchronized (this) {
                sending = false;
                return completedMeanwhile;
            }
        }

        private void completed(boolean good) {
            long nowNanos = nanoTicker.getAsLong();
            if (!good) {
                failures.increment();
            } else if (nowNanos - endNanos < 0) {
                latencyNanos.recordValue(Math.min(nowNanos - sentNanos, LATENCY_NANOS_MAX));
            }
            synchronized (this) {
                if (sending) {
                    completedMeanwhile = true;
                    return;
                }
            }
            next();
        }
    }
}
