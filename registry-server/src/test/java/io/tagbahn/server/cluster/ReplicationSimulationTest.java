// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole clusters in virtual time. {@code -Dcluster.seeds=N} runs N seeds in place of a few, beginning behind
 * {@code -Dcluster.seed=S}.
 */
class ReplicationSimulationTest {

    private static final int SEEDS = 8;

    static List<Long> seeds() {
        long first = Long.getLong("cluster.seed", 0);
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= Long.getLong("cluster.seeds", SEEDS); seed++) {
            seeds.add(first + seed);
        }
        return seeds;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsLostNothingComesBackAndCopiesAgree(long seed) {
        new SimulatedLife(seed).live();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void answersAreRightFromTheFirstMomentOn(long seed) {
        new SimulatedLife(seed).beginAtOnce();
    }

    @Test
    void sameSeedTakesTheSameCourse() {
        SimulatedLife one = new SimulatedLife(7);
        SimulatedLife other = new SimulatedLife(7);
        one.live();
        other.live();
        assertThat(one.course()).isEqualTo(other.course());
    }
}
