// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.InstanceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TombstonesTest {

    private static InstanceId id(int i) {
        return new InstanceId("instance-" + i);
    }

    @Test
    void generationIsForgottenAfterItsTime() {
        Tombstones tombstones = new Tombstones(10, 100);
        tombstones.put(id(1), 5, 0);

        assertThat(tombstones.newest(id(1), 99)).isEqualTo(5);
        assertThat(tombstones.newest(id(2), 99)).isZero();
        assertThat(tombstones.newest(id(1), 100)).isZero();
        assertThat(tombstones.count()).isZero();
    }

    @Test
    void oldestGivesWayWhereTheRingIsFull() {
        Tombstones tombstones = new Tombstones(3, 100);
        for (int i = 1; i <= 4; i++) {
            tombstones.put(id(i), i, i);
        }

        assertThat(tombstones.count()).isEqualTo(3);
        assertThat(tombstones.newest(id(1), 5)).isZero();
        assertThat(tombstones.newest(id(2), 5)).isEqualTo(2);
        assertThat(tombstones.newest(id(4), 5)).isEqualTo(4);
    }

    @Test
    void generationNeverGoesBack() {
        Tombstones tombstones = new Tombstones(10, 100);
        tombstones.put(id(1), 9, 0);
        tombstones.put(id(1), 5, 50);

        assertThat(tombstones.newest(id(1), 60)).isEqualTo(9);
        assertThat(tombstones.newest(id(1), 120)).isEqualTo(9);
        assertThat(tombstones.newest(id(1), 150)).isZero();
    }

    @Test
    void handedOverOneIsForgottenAtItsOwnTime() {
        Tombstones tombstones = new Tombstones(10, 100_000_000);
        tombstones.put(id(1), 5, 0);
        tombstones.put(id(2), 7, false, 40, 0);

        assertThat(tombstones.newest(id(2), 39_000_000)).isEqualTo(7);
        assertThat(tombstones.newest(id(2), 40_000_000)).isZero();
        assertThat(tombstones.newest(id(1), 99_000_000)).isEqualTo(5);
    }

    @Test
    void allOfABucketAreListedWithWhatIsLeftOfTheirTime() {
        Tombstones tombstones = new Tombstones(1_000, 100_000_000);
        Map<InstanceId, Tombstone> expected = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            // Longer and shorter ids, some of them twice: the ring goes round, and so do the bytes of the ids.
            InstanceId id = new InstanceId("x".repeat(1 + i % 100) + i % 2_500);
            tombstones.put(id, i + 1, i % 3 == 0, Long.MAX_VALUE, i);
            expected.put(id, new Tombstone(id, i + 1, i % 3 == 0, 99));
        }
        List<Tombstone> listed = new ArrayList<>();
        for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
            for (Tombstone tombstone : tombstones.sorted(bucket, 3_000)) {
                assertThat(Buckets.of(tombstone.id())).isEqualTo(bucket);
                listed.add(tombstone);
            }
        }
        assertThat(listed)
                .hasSizeBetween(500, 1_000)
                .allSatisfy(tombstone -> assertThat(tombstone).isEqualTo(expected.get(tombstone.id())));
        assertThat(listed).extracting(Tombstone::id).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void ringAndTableAgreeWithAMap(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long lifetimeNanos = 200;
        Tombstones tombstones = new Tombstones(256, lifetimeNanos);
        Map<InstanceId, long[]> model = new HashMap<>();
        long now = Long.MAX_VALUE - 1_000;
        for (int step = 0; step < 5_000; step++) {
            now += random.nextInt(3);
            InstanceId id = id(random.nextInt(300));
            long[] known = model.get(id);
            long expected = known == null || known[1] - now <= 0 ? 0 : known[0];
            assertThat(tombstones.newest(id, now))
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(expected);
            if (random.nextBoolean()) {
                long generation = 1L + random.nextInt(1_000);
                tombstones.put(id, generation, now);
                model.put(id, new long[] {Math.max(generation, expected), now + lifetimeNanos});
            }
        }
    }
}
