// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinearFitTest {

    private static final List<double[]> FACTORS = List.of(
            new double[] {1, 0, 100},
            new double[] {1, 1, 100},
            new double[] {1, 2, 1},
            new double[] {1, 4, 10},
            new double[] {1, 4, 1_000});

    private static double[] costs(double call, double message, double tag) {
        return FACTORS.stream()
                .mapToDouble(each -> call * each[0] + message * each[1] + tag * each[2])
                .toArray();
    }

    @Test
    void pricesThatMadeTheCostsAreFound() {
        LinearFit fit = LinearFit.of(FACTORS, costs(20, 30, 1.5));
        assertThat(fit.at(new double[] {1, 0, 0})).isCloseTo(20, within(1e-6));
        assertThat(fit.at(new double[] {1, 1_000, 10})).isCloseTo(20 + 30_000 + 15, within(1e-3));
    }

    @Test
    void noPriceIsBelowZero() {
        LinearFit fit = LinearFit.of(FACTORS, costs(200, -5, 1));
        assertThat(fit.at(new double[] {0, 1, 0})).isZero();
        assertThat(fit.at(new double[] {1, 0, 0})).isPositive();
    }

    @Test
    void factorThatNeverVariesDoesNoHarm() {
        List<double[]> same = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            same.add(new double[] {1, 2});
        }
        assertThat(LinearFit.of(same, new double[] {50, 50, 50, 50}).at(new double[] {1, 2}))
                .isCloseTo(50, within(1e-6));
    }

    @Test
    void withoutCostsEverythingIsFree() {
        assertThat(LinearFit.of(List.of(), new double[0]).at(new double[] {1, 2, 3}))
                .isZero();
    }
}
