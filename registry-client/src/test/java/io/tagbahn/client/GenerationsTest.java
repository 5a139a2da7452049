// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GenerationsTest {

    private final AtomicLong millis = new AtomicLong(1_000);
    private final Generations generations = new Generations(() -> Instant.ofEpochMilli(millis.get()));

    @Test
    void followTheClock() {
        assertThat(generations.next()).isEqualTo(1_000);
        millis.set(5_000);
        assertThat(generations.next()).isEqualTo(5_000);
    }

    @Test
    void growWhereTheClockStandsOrGoesBack() {
        assertThat(generations.next()).isEqualTo(1_000);
        assertThat(generations.next()).isEqualTo(1_001);
        millis.set(10);
        assertThat(generations.next()).isEqualTo(1_002);
    }

    @Test
    void goAboveWhatTheRegistryKnows() {
        generations.raise(7_000);
        assertThat(generations.next()).isEqualTo(7_001);
        generations.raise(5);
        assertThat(generations.next()).isEqualTo(7_002);
    }
}
