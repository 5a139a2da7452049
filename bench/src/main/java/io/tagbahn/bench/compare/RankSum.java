// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.compare;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * The exact two-sided test of Wilcoxon, Mann and Whitney: how probable it is that two samples of one distribution differ
 * in their ranks as much as these do. It asks nothing of the shape of the distribution, and a single outlier counts as
 * one rank.
 */
final class RankSum {

    /** Times of a sample: with twenty on either side, all counts below are exact as doubles. */
    static final int SAMPLE_MAX = 20;

    private RankSum() {}

    /** The probability; 1 where all are equal. */
    static double twoSided(double[] first, double[] second) {
        if (first.length < 1 || second.length < 1 || first.length > SAMPLE_MAX || second.length > SAMPLE_MAX) {
            throw new IllegalArgumentException(first.length + " and " + second.length + " times");
        }
        double[] all = DoubleStream.concat(Arrays.stream(first), Arrays.stream(second))
                .sorted()
                .toArray();
        int[] doubledRanks =
                Arrays.stream(all).mapToInt(value -> doubledRank(all, value)).toArray();
        int observed =
                Arrays.stream(first).mapToInt(value -> doubledRank(all, value)).sum();
        double[] ways = waysToSum(doubledRanks, first.length);
        double mean = (double) first.length * (all.length + 1);
        double extreme = 0;
        double total = 0;
        for (int sum = 0; sum < ways.length; sum++) {
            total += ways[sum];
            if (Math.abs(sum - mean) >= Math.abs(observed - mean)) {
                extreme += ways[sum];
            }
        }
        return extreme / total;
    }

    /** Twice the rank, so that the mean rank of equal values is a whole number. */
    private static int doubledRank(double[] sorted, double value) {
        int below = 0;
        int equal = 0;
        for (double each : sorted) {
            if (each < value) {
                below++;
            } else if (each == value) {
                equal++;
            }
        }
        return 2 * below + equal + 1;
    }

    /** For each sum, how many choices of so many of the ranks have it. */
    private static double[] waysToSum(int[] ranks, int chosen) {
        int largest = Arrays.stream(ranks).sum();
        double[][] ways = new double[chosen + 1][largest + 1];
        ways[0][0] = 1;
        for (int rank : ranks) {
            for (int count = chosen; count >= 1; count--) {
                for (int sum = largest; sum >= rank; sum--) {
                    ways[count][sum] += ways[count - 1][sum - rank];
                }
            }
        }
        return ways[chosen];
    }
}
