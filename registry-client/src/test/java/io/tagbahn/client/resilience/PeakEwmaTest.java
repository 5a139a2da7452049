// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PeakEwmaTest {

    private static final Duration DECAY = Duration.ofSeconds(10);
    private static final long SECOND = 1_000_000_000;

    @Test
    void aSlowAnswerCountsAtOnceAndIsForgottenSlowly() {
        PeakEwma one = new PeakEwma(1e6, 0).with(50_000_000, SECOND, DECAY);
        assertThat(one.averageNanos()).isEqualTo(5e7);
        PeakEwma next = one.with(1_000_000, SECOND + SECOND / 10, DECAY);
        assertThat(next.averageNanos()).isBetween(4.9e7, 5e7);
        PeakEwma later = next.with(1_000_000, 60 * SECOND, DECAY);
        assertThat(later.averageNanos()).isCloseTo(1e6, within(5e5));
    }

    @Test
    void withoutAnswersItFallsByItsDecay() {
        PeakEwma one = new PeakEwma(1e7, 0);
        assertThat(one.now(10 * SECOND, DECAY)).isCloseTo(1e7 / Math.E, within(1.0));
        assertThat(one.now(-SECOND, DECAY)).as("before").isEqualTo(1e7);
    }
}
