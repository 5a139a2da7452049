// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ReplayWindowTest {

    private final ReplayWindow window = new ReplayWindow();

    @Test
    void numberIsTakenOnce() {
        assertThat(window.take(7, 0)).isTrue();
        assertThat(window.take(7, 0)).isFalse();
        assertThat(window.take(7, 1)).isTrue();
        assertThat(window.take(8, 0)).as("another sender").isTrue();
    }

    @Test
    void packetsMayOvertakeEachOtherWithinTheWindow() {
        assertThat(window.take(7, 5_000)).isTrue();
        assertThat(window.take(7, 5_000 - ReplayWindow.WIDTH + 1)).isTrue();
        assertThat(window.take(7, 5_000 - ReplayWindow.WIDTH)).as("behind it").isFalse();
    }

    @Test
    void agreesWithASetOfAllNumbersTakenWhateverTheOrder() {
        long seed = 4;
        SplittableRandom random = new SplittableRandom(seed);
        Set<Long> taken = new HashSet<>();
        long highest = -1;
        for (int i = 0; i < 100_000; i++) {
            long number = Math.max(0, highest + random.nextInt(-1_500, random.nextInt(50) == 0 ? 3_000 : 20));
            boolean expected = number > highest - ReplayWindow.WIDTH && !taken.contains(number);
            assertThat(window.take(1, number))
                    .as("seed %d, round %d: %d", seed, i, number)
                    .isEqualTo(expected);
            if (expected) {
                taken.add(number);
                highest = Math.max(highest, number);
            }
        }
    }

    @Test
    void sendersThatWereNotHeardForLongestAreForgotten() {
        for (long sender = 0; sender < ReplayWindow.SENDERS_MAX; sender++) {
            window.take(sender, 1);
        }
        window.take(0, 2);
        window.take(-1, 1);
        assertThat(window.senders()).isEqualTo(ReplayWindow.SENDERS_MAX);
        assertThat(window.take(0, 1)).as("heard a moment ago").isFalse();
        assertThat(window.take(1, 1)).as("forgotten").isTrue();
    }
}
