// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MatchTest {

    @Test
    void degreeComesBeforeDistanceAndDistanceBeforeTag() {
        List<Match> ranked = List.of(
                new Match("z", Degree.EXACT, 0, List.of()),
                new Match("b", Degree.SPECIALISES, 1, List.of()),
                new Match("c", Degree.SPECIALISES, 1, List.of()),
                new Match("a", Degree.SPECIALISES, 2, List.of()),
                new Match("a", Degree.GENERALISES, 1, List.of()),
                new Match("a", Degree.OVERLAP, 1, List.of()));
        List<Match> shuffled = new ArrayList<>(ranked);
        Collections.shuffle(shuffled, new Random(1));
        shuffled.sort(Match.BEST_FIRST);
        assertThat(shuffled).isEqualTo(ranked);
    }

    @Test
    void tagsAreRankedInTheOrderOfTheirUtf8Bytes() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            String a = text(random);
            String b = text(random);
            int bytes = Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
            assertThat(Integer.signum(Text.CODE_POINT_ORDER.compare(a, b)))
                    .as("seed %d", seed)
                    .isEqualTo(Integer.signum(bytes));
        }
    }

    private static String text(Random random) {
        int[] some = {'a', 'b', 0xE9, 0xFFFD, 0x1F600, 0x20000};
        return random.ints(random.nextInt(4), 0, some.length)
                .mapToObj(i -> Character.toString(some[i]))
                .reduce("", String::concat);
    }
}
