// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    @Test
    void theBoundDoublesUpToTheLongest() {
        assertThat(backoff.bound(0)).isEqualTo(Duration.ofMillis(50));
        assertThat(backoff.bound(1)).isEqualTo(Duration.ofMillis(100));
        assertThat(backoff.bound(4)).isEqualTo(Duration.ofMillis(800));
        assertThat(backoff.bound(5)).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.bound(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void boundsThatAreLongDoNotOverflow() {
        Backoff longest = new Backoff(Duration.ofDays(1), Duration.ofDays(10_000));
        assertThat(longest.bound(13)).isEqualTo(Duration.ofDays(8_192));
        assertThat(longest.bound(60)).isEqualTo(Duration.ofDays(10_000));
    }

    @Test
    void pausesAreSpreadEvenlyFromZeroToTheBound() {
        SplittableRandom random = new SplittableRandom(3);
        int[] tenths = new int[10];
        for (int i = 0; i < 10_000; i++) {
            long millis = backoff.pause(3, random).toMillis();
            tenths[(int) Math.min(9, millis / 40)]++;
        }
        assertThat(Arrays.stream(tenths).boxed()).allMatch(count -> count > 850 && count < 1_150);
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithItsValue() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("PT1S");
    }
}
