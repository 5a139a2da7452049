// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Utf8Test {

    private static final int[] PLANES = {0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF};

    @Test
    void orderAndLengthAreThoseOfTheBytes() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            String a = text(random);
            String b = text(random);
            byte[] bytes = a.getBytes(StandardCharsets.UTF_8);

            assertThat(Utf8.length(a)).as(a).isEqualTo(bytes.length);
            assertThat(Integer.signum(Utf8.compare(a, b)))
                    .as("%s, %s", a, b)
                    .isEqualTo(Integer.signum(Arrays.compareUnsigned(bytes, b.getBytes(StandardCharsets.UTF_8))));
        }
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.appendCodePoint(PLANES[random.nextInt(PLANES.length)]);
        }
        return text.toString();
    }
}
