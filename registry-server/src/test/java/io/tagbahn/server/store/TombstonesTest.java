// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.InstanceId;
import java.util.HashMap;
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
