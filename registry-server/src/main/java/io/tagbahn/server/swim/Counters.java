// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** The counts of one machine. */
final class Counters {

    private final long[] counts = new long[SwimCounter.values().length];

    void add(SwimCounter counter, long amount) {
        counts[counter.ordinal()] += amount;
    }

    void increment(SwimCounter counter) {
        add(counter, 1);
    }

    long get(SwimCounter counter) {
        return counts[counter.ordinal()];
    }
}
