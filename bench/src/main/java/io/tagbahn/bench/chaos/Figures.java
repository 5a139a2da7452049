// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Figures that come together, in the order in which they are told. */
final class Figures {

    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<String, Object> byName = new LinkedHashMap<>();

    Figures with(String name, long value) {
        byName.put(name, value);
        return this;
    }

    Figures with(String name, String value) {
        byName.put(name, value);
        return this;
    }

    Figures withMillis(String name, long nanos) {
        return with(name, Math.round(nanos / NANOS_PER_MILLI));
    }

    /** Median, 99th percentile and maximum of times in nanoseconds, in milliseconds: nothing where there are none. */
    Figures withTimes(String name, Histogram nanos) {
        if (nanos.getTotalCount() > 0) {
            withMillis(name + "P50Millis", nanos.getValueAtPercentile(50));
            withMillis(name + "P99Millis", nanos.getValueAtPercentile(99));
            withMillis(name + "MaxMillis", nanos.getMaxValue());
        }
        return this;
    }

    Map<String, Object> asMap() {
        return byName;
    }
}
