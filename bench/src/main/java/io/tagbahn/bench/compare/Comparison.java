// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.compare;

import io.tagbahn.bench.compare.Difference.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The comparison of two commits' times. A time is the median of one fork: iterations of one fork resemble each other more
 * than those of another, since the compiler and the layout of memory are the luck of the fork.
 *
 * <p>A benchmark counts as changed where both hold: the {@linkplain RankSum rank sum test} finds it improbable that the
 * forks' times come from the same, at 1 % for all benchmarks together (Holm's correction); and the medians differ by a
 * share that is worth telling. The interval of the ratio, from 10,000 bootstrap resamples of the forks, says how well the
 * change is known; it decides nothing.
 */
public final class Comparison {

    static final double SIGNIFICANCE = 0.01;
    private static final int RESAMPLES = 10_000;

    private Comparison() {}

    /**
     * Times of a benchmark.
     *
     * @param first one of each fork of the first commit
     * @param second those of the second
     */
    public record Times(String benchmark, String unit, List<Double> first, List<Double> second) {

        public Times {
            first = List.copyOf(first);
            second = List.copyOf(second);
        }
    }

    /** @param leastShare by which the medians have to differ, such as 0.02 */
    public static List<Difference> of(List<Times> all, double leastShare, RandomGenerator random) {
        double[] probabilities = all.stream()
                .mapToDouble(times -> RankSum.twoSided(array(times.first()), array(times.second())))
                .toArray();
        double[] corrected = holm(probabilities);
        List<Difference> differences = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            differences.add(difference(all.get(i), corrected[i], leastShare, random));
        }
        return differences;
    }

    /** The smallest probability that so many forks of either can show: with too few, nothing is ever beyond noise. */
    public static double leastProbability(int forks) {
        double[] low = new double[forks];
        double[] high = new double[forks];
        Arrays.setAll(low, i -> i);
        Arrays.setAll(high, i -> forks + i);
        return RankSum.twoSided(low, high);
    }

    /** Whether so many forks of either can show a change in each of so many benchmarks. */
    public static boolean isEnough(int forks, int benchmarks) {
        return leastProbability(forks) * benchmarks <= SIGNIFICANCE;
    }

    /** Probabilities corrected after Holm: the smallest times all, the next times one fewer, none below one before. */
    static double[] holm(double[] probabilities) {
        Integer[] order = new Integer[probabilities.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> probabilities[i]));
        double[] corrected = new double[probabilities.length];
        double before = 0;
        for (int i = 0; i < order.length; i++) {
            before = Math.max(before, Math.min(1, probabilities[order[i]] * (order.length - i)));
            corrected[order[i]] = before;
        }
        return corrected;
    }

    private static Difference difference(Times times, double probability, double leastShare, RandomGenerator random) {
        double[] firstTimes = array(times.first());
        double[] secondTimes = array(times.second());
        double first = median(firstTimes);
        double second = median(secondTimes);
        double ratio = second / first;
        double[] ratios = new double[RESAMPLES];
        Arrays.setAll(ratios, i -> median(resampled(secondTimes, random)) / median(resampled(firstTimes, random)));
        Arrays.sort(ratios);
        boolean changed = probability <= SIGNIFICANCE && (ratio >= 1 + leastShare || ratio <= 1 / (1 + leastShare));
        Verdict otherwise = ratio > 1 ? Verdict.SLOWER : Verdict.FASTER;
        return new Difference(
                times.benchmark(),
                times.unit(),
                first,
                second,
                ratio,
                ratios[(int) (RESAMPLES * 0.025)],
                ratios[(int) (RESAMPLES * 0.975)],
                probability,
                changed ? otherwise : Verdict.SAME);
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] resampled(double[] values, RandomGenerator random) {
        double[] drawn = new double[values.length];
        Arrays.setAll(drawn, i -> values[random.nextInt(values.length)]);
        return drawn;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
