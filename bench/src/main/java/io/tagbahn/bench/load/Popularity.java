// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** How often each of several things is asked for, the first one most often where there is a difference. */
final class Popularity {

    private final int count;

    /** Ends of the things' shares, up to 1; empty where all have the same. */
    private final double[] ends;

    private Popularity(int count, double[] ends) {
        this.count = count;
        this.ends = ends;
    }

    /**
     * Zipf's law: the n-th is asked for in proportion to 1 / n^exponent.
     *
     * @param exponent 0 for all alike; about 1 for what people ask for
     */
    static Popularity zipf(int count, double exponent) {
        if (count < 1 || !(exponent >= 0)) {
            throw new IllegalArgumentException("count " + count + ", exponent " + exponent);
        }
        if (exponent == 0) {
            return new Popularity(count, new double[0]);
        }
        double[] ends = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.pow(i + 1.0, -exponent);
            ends[i] = sum;
        }
        for (int i = 0; i < count; i++) {
            ends[i] /= sum;
        }
        return new Popularity(count, ends);
    }

    int next(RandomGenerator random) {
        if (ends.length == 0) {
            return random.nextInt(count);
        }
        int found = Arrays.binarySearch(ends, random.nextDouble());
        return Math.min(found < 0 ? -found - 1 : found + 1, count - 1);
    }
}
