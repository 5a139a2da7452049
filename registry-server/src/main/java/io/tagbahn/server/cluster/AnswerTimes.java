// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.time.Duration;
import java.util.Arrays;

/** How long nodes have taken to answer lately, as far as it says when to ask another one as well. */
final class AnswerTimes {

    private static final int KEPT = 128;
    private static final double SHARE = 0.95;

    private final long[] nanos = new long[KEPT];
    private int count;
    private volatile long hedgeNanos = ClusterConfig.HEDGE_MAX.toNanos();

    synchronized void add(long tookNanos) {
        nanos[count++ % KEPT] = tookNanos;
        if (count % (KEPT / 8) == 0) {
            long[] sorted = Arrays.copyOf(nanos, Math.min(count, KEPT));
            Arrays.sort(sorted);
            long p95 = sorted[(int) (SHARE * (sorted.length - 1))];
            hedgeNanos = Math.min(ClusterConfig.HEDGE_MAX.toNanos(), Math.max(ClusterConfig.HEDGE_MIN.toNanos(), p95));
        }
    }

    /** After how long another node is worth a question. */
    Duration hedge() {
        return Duration.ofNanos(hedgeNanos);
    }
}
