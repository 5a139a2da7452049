// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.bench.LoopOutcome;
import io.tagbahn.bench.OpenLoop;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Calls at a rate, whatever becomes of them: how long each took until it had its answer or its failure. */
final class CallLoad {

    private CallLoad() {}

    /**
     * What became of the calls.
     *
     * @param latencyNanos of all, failures included: somebody has waited for these as well
     */
    record Outcome(long requests, long errors, Histogram latencyNanos) {

        double errorShare() {
            return requests == 0 ? 0 : (double) errors / requests;
        }

        double millis(double percentile) {
            return latencyNanos.getValueAtPercentile(percentile) / 1e6;
        }

        double meanMillis() {
            return latencyNanos.getMean() / 1e6;
        }
    }

    static Outcome offer(double perSecond, Duration duration, Supplier<? extends CompletionStage<?>> call)
            throws InterruptedException {
        LongAdder errors = new LongAdder();
        LoopOutcome outcome = new OpenLoop(
                        perSecond,
                        System::nanoTime,
                        () -> call.get().handle((value, error) -> {
                            if (error != null) {
                                errors.increment();
                            }
                            return true;
                        }))
                .run(duration);
        return new Outcome(outcome.calls(), errors.sum(), outcome.latencyNanos());
    }
}
