// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.bench.TestingClusters;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiments themselves, small, on nodes in this process and an echo in another. */
final class ThesisBenchIT {

    @TempDir
    private Path folder;

    @Test
    void everyExperimentIsMeasuredOnEverySetupWithAClusterForEachRun() {
        List<Tag> tags = ThesisBench.triples().subList(0, 130);
        ThesisPlan plan = new ThesisPlan(List.of(1, 2), List.of(1, 2), 2, 2, Duration.ZERO, tags);
        TestingClusters clusters = new TestingClusters(folder);
        List<Double> shares = new ArrayList<>();
        List<ThesisRow> rows = ThesisBench.run(plan, clusters, System::nanoTime, (share, now) -> shares.add(share));
        assertThat(clusters.started()).isEqualTo(8);
        assertThat(shares).isSorted().startsWith(0.0).endsWith(1.0);
        assertThat(rows).hasSize(Experiment.values().length * 4).allSatisfy(row -> {
            assertThat(row.runs()).isEqualTo(2);
            assertThat(row.times().samples()).isEqualTo(4);
            assertThat(row.times().medianMillis()).isPositive();
            assertThat(row.times().p95Millis())
                    .isGreaterThanOrEqualTo(row.times().medianMillis());
            assertThat(row.floorMillis()).isPositive();
            assertThat(row.coldMillis()).isPositive();
        });
    }

    @Test
    void namesAreAsManyAsTheTagsAndAllDifferent() {
        List<ServiceName> names = ThesisRun.namesOf(ThesisBench.triples());
        assertThat(names).hasSize(1_000).doesNotHaveDuplicates();
    }
}
