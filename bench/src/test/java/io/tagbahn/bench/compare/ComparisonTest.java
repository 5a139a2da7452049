// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tagbahn.bench.compare.Comparison.Times;
import io.tagbahn.bench.compare.Difference.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ComparisonTest {

    private static final double LEAST_SHARE = 0.02;

    private static List<Difference> compared(Times... times) {
        return Comparison.of(List.of(times), LEAST_SHARE, new SplittableRandom(1));
    }

    private static Times times(double[] first, double[] second) {
        return new Times(
                "Some.benchmark",
                "ns/op",
                Arrays.stream(first).boxed().toList(),
                Arrays.stream(second).boxed().toList());
    }

    private static double[] around(double middle, double spread, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] values = new double[8];
        Arrays.setAll(values, i -> middle * (1 + spread * (random.nextDouble() - 0.5)));
        return values;
    }

    @Test
    void rankSumsAreAsProbableAsTablesSay() {
        // Two of the C(10, 5) = 252 ways to choose five ranks are as far out as these.
        double[] low = {1, 2, 3, 4, 5};
        double[] high = {6, 7, 8, 9, 10};
        assertThat(RankSum.twoSided(low, high)).isCloseTo(2.0 / 252, within(1e-12));
        assertThat(RankSum.twoSided(high, low)).isCloseTo(2.0 / 252, within(1e-12));
        // U = 4 of 4 and 5: 0.190 in tables of the exact distribution.
        assertThat(RankSum.twoSided(new double[] {1, 2, 4, 7}, new double[] {3, 5, 6, 8, 9}))
                .isCloseTo(0.1905, within(5e-4));
    }

    @Test
    void equalTimesAreNoDifferenceWhateverTheirNumber() {
        assertThat(RankSum.twoSided(new double[] {5, 5, 5}, new double[] {5, 5}))
                .isEqualTo(1);
        assertThat(RankSum.twoSided(new double[] {1, 2, 2, 3}, new double[] {1, 2, 2, 3}))
                .isEqualTo(1);
    }

    @Test
    void numbersOfTimesHaveALimit() {
        assertThatThrownBy(() -> RankSum.twoSided(new double[RankSum.SAMPLE_MAX + 1], new double[1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RankSum.twoSided(new double[0], new double[1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Comparison.leastProbability(RankSum.SAMPLE_MAX)).isPositive().isLessThan(1e-9);
    }

    @Test
    void whatIsATenthSlowerAndLittleScatteredIsSlower() {
        Difference difference =
                compared(times(around(100, 0.05, 1), around(110, 0.05, 2))).get(0);
        assertThat(difference.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(difference.ratio()).isBetween(1.07, 1.13);
        assertThat(difference.low()).isLessThanOrEqualTo(difference.ratio()).isGreaterThan(1);
        assertThat(difference.high()).isGreaterThanOrEqualTo(difference.ratio());
    }

    @Test
    void theOtherWayAroundItIsFaster() {
        assertThat(compared(times(around(110, 0.05, 2), around(100, 0.05, 1)))
                        .get(0)
                        .verdict())
                .isEqualTo(Verdict.FASTER);
    }

    @Test
    void scatterAsWideAsTheDifferenceIsNoise() {
        for (long seed = 0; seed < 20; seed++) {
            Difference difference = compared(times(around(100, 0.5, seed), around(103, 0.5, seed + 100)))
                    .get(0);
            assertThat(difference.verdict()).as("seed %d: %s", seed, difference).isEqualTo(Verdict.SAME);
        }
    }

    @Test
    void differenceThatIsSureButTooSmallToTellIsNone() {
        Difference difference =
                compared(times(around(100, 0.001, 3), around(101, 0.001, 4))).get(0);
        assertThat(difference.probability()).isLessThan(0.001);
        assertThat(difference.verdict()).isEqualTo(Verdict.SAME);
    }

    @Test
    void oneOutlierMakesNoDifference() {
        double[] first = around(100, 0.05, 5);
        double[] second = around(100, 0.05, 6);
        second[3] = 1_000;
        assertThat(compared(times(first, second)).get(0).verdict()).isEqualTo(Verdict.SAME);
    }

    @Test
    void ofManyBenchmarksWithoutAChangeNoneIsCalledOne() {
        Times[] all = new Times[40];
        Arrays.setAll(all, i -> times(around(100, 0.2, i), around(100, 0.2, 1_000 + i)));
        assertThat(compared(all)).allSatisfy(each -> assertThat(each.verdict()).isEqualTo(Verdict.SAME));
    }

    @Test
    void correctionIsThatOfHolm() {
        assertThat(Comparison.holm(new double[] {0.01, 0.04, 0.03, 0.005}))
                .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
        assertThat(Comparison.holm(new double[] {0.6, 0.7})).containsExactly(1, 1);
    }

    @Test
    void forksNeededGrowWithTheBenchmarks() {
        assertThat(Comparison.isEnough(4, 1)).isFalse();
        assertThat(Comparison.isEnough(5, 1)).isTrue();
        assertThat(Comparison.isEnough(5, 20)).isFalse();
        assertThat(Comparison.isEnough(8, 20)).isTrue();
    }

    @Test
    void mediansOfForksAreReadFromJmhsJson() {
        MicroRun run = MicroRun.parse("""
                [{"benchmark": "io.tagbahn.bench.micro.RingMicro.owners", "params": {"nodes": "5"},
                  "primaryMetric": {"scoreUnit": "ns/op", "rawData": [[3.0, 1.0, 2.0], [4.0, 8.0]]}},
                 {"benchmark": "io.tagbahn.bench.micro.StoreMicro.lookup",
                  "primaryMetric": {"scoreUnit": "ns/op", "rawData": [[7.5]]}}]
                """);
        assertThat(run.units()).containsOnlyKeys("RingMicro.owners[nodes=5]", "StoreMicro.lookup");
        assertThat(run.medians("RingMicro.owners[nodes=5]")).containsExactly(2.0, 6.0);
        assertThat(run.medians("StoreMicro.lookup")).containsExactly(7.5);
        assertThat(run.medians("unknown")).isEmpty();
    }
}
