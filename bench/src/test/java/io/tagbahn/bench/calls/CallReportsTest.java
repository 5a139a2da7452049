// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.bench.plot.Report;
import io.tagbahn.client.calls.CallCounters;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class CallReportsTest {

    private static CallLoad.Outcome outcome() {
        Histogram latencies = new Histogram(3);
        for (int millis = 1; millis <= 100; millis++) {
            latencies.recordValue(millis * 1_000_000L);
        }
        return new CallLoad.Outcome(100, 16, latencies);
    }

    private static CallCounters counters() {
        return new CallCounters(100, 84, 0, 16, 0, 0, 0, 0, 0, 0, 0, 120, 20, 0, 0, 0, List.of(0L, 0L, 0L, 120L));
    }

    private static void isWhole(Report report, int rows) {
        assertThat(report.table())
                .hasSize(rows + 1)
                .allSatisfy(row -> assertThat(row).hasSameSizeAs(report.table().get(0)));
        assertThat(report.html("a machine"))
                .contains("a machine")
                .contains("<svg")
                .endsWith("</html>\n");
        assertThat(report.plots()).isNotEmpty();
    }

    @Test
    void resilienceTellsOfEachPolicy() {
        ResilienceReport report =
                new ResilienceReport(List.of(new ResilienceRow(Policy.NONE, outcome(), counters(), 3)));
        isWhole(report, 1);
        assertThat(report.table().get(1)).containsExactly("none", "100", "0.16", "50", "90", "95", "100", "1.2", "3");
        assertThat(report.moreTables()).containsOnlyKeys("outcomes");
        assertThat(report.moreTables().values())
                .allSatisfy(table -> assertThat(table.get(1)).startsWith("none", "84", "16"));
    }

    @Test
    void affinityTellsOfEachRoute() {
        AffinityReport report = new AffinityReport(List.of(
                new AffinityRow(Route.RANDOM, PipelineZone.USUAL, 25, outcome()),
                new AffinityRow(Route.NEAR, PipelineZone.OVERLOAD, 60, outcome())));
        isWhole(report, 2);
        assertThat(report.table().get(2)).startsWith("near", "overload", "60").endsWith("84", "16");
    }

    @Test
    void chainTellsOfEachPhase() {
        ChainReport report = new ChainReport(List.of(
                new ChainRow(false, "slow", "alone", outcome()),
                new ChainRow(false, "slow", "chain", outcome()),
                new ChainRow(true, "slow", "alone", outcome()),
                new ChainRow(true, "slow", "chain", outcome())));
        isWhole(report, 4);
        assertThat(report.table().get(3)).startsWith("on", "slow", "alone", "100", "0.16");
    }
}
