// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PopularityTest {

    private static final int DRAWN = 200_000;

    private static double[] shares(Popularity popularity, int count) {
        SplittableRandom random = new SplittableRandom(7);
        double[] shares = new double[count];
        for (int i = 0; i < DRAWN; i++) {
            shares[popularity.next(random)] += 1.0 / DRAWN;
        }
        return shares;
    }

    @Test
    void withoutSkewAllAreAskedForAlike() {
        for (double share : shares(Popularity.zipf(10, 0), 10)) {
            assertThat(share).isCloseTo(0.1, within(0.01));
        }
    }

    @Test
    void withSkewTheNthIsAskedForInProportionToItsRank() {
        double[] shares = shares(Popularity.zipf(100, 1), 100);
        double harmonic = 5.187377517639621; // 1 + 1/2 + ... + 1/100
        assertThat(shares[0]).isCloseTo(1 / harmonic, within(0.01));
        assertThat(shares[9]).isCloseTo(0.1 / harmonic, within(0.005));
        assertThat(shares[99]).isPositive();
    }

    @Test
    void nothingToAskForIsRefused() {
        assertThatThrownBy(() -> Popularity.zipf(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Popularity.zipf(1, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
