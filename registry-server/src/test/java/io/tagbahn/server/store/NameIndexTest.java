// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameIndexTest {

    private static List<String> all(NameIndex index) {
        return from(index, "", Optional.empty());
    }

    private static List<String> from(NameIndex index, String prefix, Optional<String> after) {
        List<String> names = new ArrayList<>();
        index.visit(prefix, after, names::add);
        return names;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void holdsWhatASortedSetHolds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeSet<String> expected = new TreeSet<>(Utf8.ORDER);
        NameIndex index = NameIndex.EMPTY;
        for (int round = 0; round < 60; round++) {
            TreeSet<String> batch = new TreeSet<>(Utf8.ORDER);
            int size = 1 + random.nextInt(round % 7 == 0 ? 5_000 : 50);
            for (int i = 0; i < size; i++) {
                batch.add(Integer.toString(random.nextInt(20_000), 36));
            }
            if (random.nextInt(3) > 0) {
                batch.removeAll(expected);
                expected.addAll(batch);
                index = index.plus(List.copyOf(batch));
            } else {
                batch.retainAll(expected);
                expected.removeAll(batch);
                index = index.minus(List.copyOf(batch));
            }
            assertThat(all(index)).as("seed %d round %d", seed, round).isEqualTo(List.copyOf(expected));
            assertThat(index.size()).isEqualTo(expected.size());
            String some = Integer.toString(random.nextInt(20_000), 36);
            assertThat(index.find(some)).isEqualTo(expected.contains(some) ? some : null);
            assertThat(from(index, "", Optional.of(some))).isEqualTo(List.copyOf(expected.tailSet(some, false)));
        }
    }

    @Test
    void emptiedIndexKeepsNothing() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            names.add(String.format("%06d", i));
        }

        NameIndex index = NameIndex.EMPTY.plus(names).minus(names);

        assertThat(index.size()).isZero();
        assertThat(all(index)).isEmpty();
        assertThat(index.find("000001")).isNull();
    }

    @Test
    void changesLeaveEarlierSnapshotsAlone() {
        NameIndex before = NameIndex.EMPTY.plus(List.of("a", "c"));
        NameIndex after = before.plus(List.of("b")).minus(List.of("a"));

        assertThat(all(before)).containsExactly("a", "c");
        assertThat(all(after)).containsExactly("b", "c");
    }

    @Test
    void prefixIsARangeOfTheOrder() {
        NameIndex index = NameIndex.EMPTY.plus(List.of("a", "ab", "abc", "abd", "ac", "b"));

        assertThat(from(index, "ab", Optional.empty())).containsExactly("ab", "abc", "abd");
        assertThat(from(index, "ab", Optional.of("abc"))).containsExactly("abd");
        assertThat(from(index, "ab", Optional.of("a"))).containsExactly("ab", "abc", "abd");
        assertThat(from(index, "ab", Optional.of("b"))).isEmpty();
        assertThat(from(index, "x", Optional.empty())).isEmpty();
    }
}
