// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScalePlanTest {

    private static ScalePlan plan(List<Integer> tags, List<Integer> nodes) {
        Duration second = Duration.ofSeconds(1);
        return new ScalePlan(tags, List.of(100), nodes, List.of(1, 3), second, second, second);
    }

    @Test
    void clusterThatBelongsToSeveralSeriesIsMeasuredOnce() {
        assertThat(ScalePlan.full().small()).doesNotHaveDuplicates().hasSize(4 + 5 + 4 - 2);
        assertThat(ScalePlan.full().small()).contains(new Setup(5, 3, 100, 100));
    }

    @Test
    void millionTagsAreOnOneNodeAndOnFive() {
        assertThat(ScalePlan.full().filled())
                .containsExactly(new Setup(1, 3, 100_000, 10), new Setup(5, 3, 100_000, 10));
        assertThat(plan(List.of(1), List.of(1)).filled()).hasSize(1);
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> plan(List.of(), List.of(1))).hasMessageContaining("tags");
        assertThatThrownBy(() -> plan(List.of(10, 1), List.of(1))).hasMessageContaining("ascending");
        assertThatThrownBy(() -> plan(List.of(1), List.of(0))).hasMessageContaining("nodes");
    }

    @Test
    void instancesHaveTagsOfTheirOwnAndShareServices() {
        Population population = new Population(10, 1);
        assertThat(population.tags(0)).hasSize(10).doesNotContainAnyElementsOf(population.tags(1));
        assertThat(Population.id(0)).isNotEqualTo(Population.id(Population.SERVICES));
        assertThat(Population.service(0)).isEqualTo(Population.service(Population.SERVICES));
        assertThat(Population.entries(2_000, 10)).isEqualTo(20_000 + Population.SERVICES);
    }
}
