// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The entries that this node is asked for most, by far: their reads are spread over all owners, where those of others go to
 * the nearest one.
 *
 * <p>One question in {@value #SAMPLED} is looked at. Counters are few, and whoever is asked for seldom gives its counter up
 * (Misra, Gries, "Finding repeated elements", 1982): an entry that makes up more than one in {@value #COUNTERS_MAX} of
 * the questions is found in any case. May be used by many threads.
 */
final class HotEntries {

    static final int COUNTERS_MAX = 64;
    static final int SAMPLED = 8;

    /** Questions a second from which on an entry is hot. */
    static final int HOT_PER_SECOND = 200;

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger turn = new AtomicInteger();
    private final Map<String, int[]> counts = new HashMap<>();
    private long windowNanos;
    private boolean begun;
    private volatile Set<String> hot = Set.of();

    /** Whether an entry is hot, of which somebody asks now. */
    boolean isHot(String entry, long nowNanos) {
        if (asked.incrementAndGet() % SAMPLED == 0) {
            count(entry, nowNanos);
        }
        Set<String> now = hot;
        return !now.isEmpty() && now.contains(entry);
    }

    /** A number that is another one each time. */
    int turn() {
        return turn.incrementAndGet() & Integer.MAX_VALUE;
    }

    private synchronized void count(String entry, long nowNanos) {
        if (!begun || nowNanos - windowNanos >= WINDOW_NANOS) {
            closeWindow(nowNanos);
        }
        int[] count = counts.get(entry);
        if (count != null) {
            count[0]++;
        } else if (counts.size() < COUNTERS_MAX) {
            counts.put(entry, new int[] {1});
        } else {
            counts.values().forEach(each -> each[0]--);
            counts.values().removeIf(each -> each[0] == 0);
        }
    }

    private void closeWindow(long nowNanos) {
        double seconds = Math.max(1, (double) (nowNanos - windowNanos) / WINDOW_NANOS);
        hot = begun
                ? counts.entrySet().stream()
                        .filter(each -> each.getValue()[0] * SAMPLED >= HOT_PER_SECOND * seconds)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
        counts.clear();
        windowNanos = nowNanos;
        begun = true;
    }
}
