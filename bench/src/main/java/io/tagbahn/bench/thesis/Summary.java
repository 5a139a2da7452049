// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import java.util.Arrays;

/**
 * What several times come to.
 *
 * @param stdevMillis of a sample; 0 where there is but one
 */
public record Summary(int samples, double meanMillis, double medianMillis, double p95Millis, double stdevMillis) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** @throws IllegalArgumentException where there is none */
    static Summary ofNanos(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("no times");
        }
        double[] millis = Arrays.stream(nanos)
                .sorted()
                .mapToDouble(each -> each / NANOS_PER_MILLI)
                .toArray();
        int count = millis.length;
        double mean = Arrays.stream(millis).average().orElseThrow();
        double squares =
                Arrays.stream(millis).map(each -> (each - mean) * (each - mean)).sum();
        return new Summary(
                count,
                mean,
                (millis[(count - 1) / 2] + millis[count / 2]) / 2,
                millis[(int) Math.ceil(0.95 * count) - 1],
                count == 1 ? 0 : Math.sqrt(squares / (count - 1)));
    }
}
