// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The counts of one machine. */
final class Counters {

    private final Map<SwimCounter, long[]> counts = new EnumMap<>(SwimCounter.class);

    Counters() {
        for (SwimCounter counter : SwimCounter.values()) {
            counts.put(counter, new long[1]);
        }
    }

    void add(SwimCounter counter, long amount) {
        cell(counter)[0] += amount;
    }

    void increment(SwimCounter counter) {
        add(counter, 1);
    }

    private long[] cell(SwimCounter counter) {
        return Objects.requireNonNull(counts.get(counter));
    }

    long get(SwimCounter counter) {
        return cell(counter)[0];
    }
}
