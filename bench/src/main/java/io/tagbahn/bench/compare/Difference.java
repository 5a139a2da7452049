// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.compare;

/**
 * What a benchmark says of two commits.
 *
 * @param unit of the medians
 * @param ratio of the second's median to the first's; above 1 where the second is slower
 * @param low,high the interval in which the ratio lies with 95 %, by bootstrap
 * @param probability of such a difference between samples of the same, corrected for the number of benchmarks
 */
public record Difference(
        String benchmark,
        String unit,
        double firstMedian,
        double secondMedian,
        double ratio,
        double low,
        double high,
        double probability,
        Verdict verdict) {

    /** What changed, from the first to the second. */
    public enum Verdict {
        SAME,
        FASTER,
        SLOWER
    }
}
