// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** A random order from any generator; the library's own takes only {@link java.util.Random} on Java 17. */
final class Shuffle {

    private Shuffle() {}

    static void shuffle(List<?> list, RandomGenerator random) {
        for (int i = list.size() - 1; i > 0; i--) {
            Collections.swap(list, i, random.nextInt(i + 1));
        }
    }
}
