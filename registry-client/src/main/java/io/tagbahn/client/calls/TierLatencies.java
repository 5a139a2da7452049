// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** How long answers take from hosts of each distance, on the way and all: moving averages of about the last 20 answers. */
final class TierLatencies {

    private static final double NEWEST = 0.05;
    private static final int ANSWERS_MIN = 10;
    /** What nobody has measured since says nothing any more. */
    private static final long OLD_NANOS = 30_000_000_000L;

    private record Mean(double nanos, int answers, long atNanos) {

        Mean with(long latencyNanos, long nowNanos) {
            double share = answers < ANSWERS_MIN ? 1.0 / (answers + 1) : NEWEST;
            return new Mean(nanos + share * (latencyNanos - nanos), Math.min(answers + 1, ANSWERS_MIN), nowNanos);
        }
    }

    private final AtomicReferenceArray<Mean> means = new AtomicReferenceArray<>(HostSet.TIERS);

    TierLatencies(long nowNanos) {
        for (int distance = 0; distance < HostSet.TIERS; distance++) {
            means.set(distance, new Mean(0, 0, nowNanos));
        }
    }

    void answered(int distance, long latencyNanos, long nowNanos) {
        means.updateAndGet(distance, mean -> mean.with(latencyNanos, nowNanos));
    }

    /** The best that is to be had farther away; infinite where nothing is known. */
    double fartherNanos(int distance, long nowNanos) {
        double best = Double.POSITIVE_INFINITY;
        for (int farther = distance + 1; farther < HostSet.TIERS; farther++) {
            Mean mean = means.get(farther);
            if (mean.answers() >= ANSWERS_MIN && nowNanos - mean.atNanos() < OLD_NANOS) {
                best = Math.min(best, mean.nanos());
            }
        }
        return best;
    }
}
