// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that is measured, small, on nodes in processes of their own. */
final class ScaleBenchIT {

    @TempDir
    private Path folder;

    @Test
    void everySetupIsMeasuredAndNothingIsMissing() {
        ScalePlan plan = new ScalePlan(
                List.of(5),
                List.of(50, 200),
                List.of(2),
                List.of(3),
                Duration.ofMillis(100),
                Duration.ZERO,
                Duration.ofMillis(300));
        List<Double> shares = new ArrayList<>();
        ScaleResults results = ScaleBench.run(
                plan, folder, InstantSource.system().millis(), System::nanoTime, (share, now) -> shares.add(share));
        assertThat(shares).isSorted().endsWith(1.0);
        assertThat(results.costs()).hasSize((plan.small().size() + 4) * ScaleOperation.values().length);
        assertThat(results.costs())
                .allSatisfy(row -> assertThat(row.p50Micros()).isPositive());
        assertThat(results.costs())
                .filteredOn(row -> row.setup().nodes() == 2 && row.operation() == ScaleOperation.REGISTER)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.messageBytes()).isPositive());
        assertThat(results.held())
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.isComplete()).as("%s", row).isTrue());
        assertThat(results.beats()).extracting(BeatRow::leasesPerCall).containsExactly(0, 1, 100);
        assertThat(results.estimates()).isNotEmpty();
    }
}
