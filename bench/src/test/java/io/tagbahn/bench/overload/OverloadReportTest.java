// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class OverloadReportTest {

    private static OverloadRow row(boolean enforced, Manners manners, double times, double good) {
        return new OverloadRow(
                enforced,
                manners,
                times,
                1_000,
                times * 1_000,
                good,
                10,
                20,
                30,
                1.5,
                2,
                3,
                40,
                0,
                0,
                enforced ? OptionalDouble.of(100) : OptionalDouble.empty());
    }

    private final OverloadReport report = new OverloadReport(new OverloadResults(
            40,
            2,
            true,
            List.of(
                    row(false, Manners.NAIVE, 1, 1_500),
                    row(true, Manners.OBEDIENT, 1, 1_000),
                    row(true, Manners.OBEDIENT, 10, 950))));

    @Test
    void goodputIsToldAsAShareOfTheBest() {
        List<List<String>> table = report.table();
        assertThat(table)
                .hasSize(4)
                .allMatch(line -> line.size() == table.get(0).size());
        int share = table.get(0).indexOf("shareOfBest");
        assertThat(table.get(2).get(share)).isEqualTo("1");
        assertThat(table.get(3).get(share)).isEqualTo("0.95");
        assertThat(table.get(1)).endsWith("never").startsWith("off", "naive", "1");
    }

    @Test
    void costsAreComparedAndLinesDrawn() {
        assertThat(Objects.requireNonNull(report.moreTables().get("costs")).get(1))
                .containsExactly("40", "2", "0.05", "yes");
        assertThat(report.plots()).containsOnlyKeys("goodput", "p99", "amplification");
        assertThat(report.html("a machine"))
                .contains("a machine", ">both<", ">off<", "<svg")
                .doesNotContain("src=", "<script");
    }

    @Test
    void plansHaveTheirBounds() {
        OverloadPlan full = OverloadPlan.full();
        assertThat(full.times()).contains(0.5, 1.0, 2.0, 5.0, 10.0);
        assertThatThrownBy(() -> new OverloadPlan(
                        0, full.times(), 1, 1, full.deadline(), full.warmUp(), full.length(), full.after()))
                .hasMessageContaining("nodes 0");
        assertThatThrownBy(() -> new OverloadPlan(
                        1, List.of(), 1, 1, full.deadline(), full.warmUp(), full.length(), full.after()))
                .hasMessageContaining("times");
        assertThatThrownBy(() -> new OverloadPlan(
                        1, full.times(), 1, 1, Duration.ZERO, full.warmUp(), full.length(), full.after()))
                .hasMessageContaining("deadline");
    }
}
