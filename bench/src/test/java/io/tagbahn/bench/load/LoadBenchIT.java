// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.bench.RunningCluster;
import io.tagbahn.bench.TestingClusters;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads, short ones, on nodes in this process; what makes the load and the echo are processes of their own. */
final class LoadBenchIT {

    private static final long GENERATION = 1_000;

    @TempDir
    private Path folder;

    private static LoadPlan plan(List<HostPort> registry, List<String> mixes, List<Double> rates, boolean sweep) {
        return new LoadPlan(
                registry,
                2,
                2,
                mixes.stream().map(Mix::parse).toList(),
                2,
                250,
                1,
                2,
                4,
                rates,
                sweep,
                Duration.ofMinutes(1),
                2,
                Duration.ZERO,
                Duration.ofSeconds(1));
    }

    @Test
    void closedLoopOfEveryOperationIsAnsweredWithoutErrors() {
        List<String> mixes = List.of("tagDiscover", "discover=3,register=1,heartbeat=2,serviceNames=1");
        List<LoadRow> rows = LoadBench.run(
                plan(List.of(), mixes, List.of(), false), new TestingClusters(folder), GENERATION, now -> {});
        assertThat(rows).hasSize(2).allSatisfy(row -> {
            assertThat(row.outcome().calls()).isPositive();
            assertThat(row.outcome().failures()).isZero();
            assertThat(row.outcome().latencyNanos().getTotalCount())
                    .isEqualTo(row.outcome().calls());
            assertThat(row.echo().callsPerSecond()).isPositive();
            assertThat(row.ratePerSecond()).isEmpty();
            assertThat(row.nodes()).isPresent();
            assertThat(row.micros(50)).isPositive().isLessThanOrEqualTo(row.micros(99.99));
        });
        assertThat(rows).extracting(row -> row.mix().toString()).containsExactlyElementsOf(mixes);
        LoadReport report = new LoadReport(rows);
        assertThat(report.csv().lines()).hasSize(3);
        assertThat(report.html("a machine")).contains("<svg ");
    }

    @Test
    void rateIsKeptByAllProcessesTogetherAndNothingIsLeftInARegistryThatRunsAlready() {
        try (RunningCluster cluster = new TestingClusters(folder).start(1, 1, List.of())) {
            HostPort address = cluster.nodes().get(0).address();
            List<LoadRow> rows = LoadBench.run(
                    plan(List.of(address), List.of("tagDiscover=1,register=1"), List.of(200.0), false),
                    (nodes, replicas, jvm) -> cluster,
                    GENERATION,
                    now -> {});
            assertThat(rows).singleElement().satisfies(row -> {
                assertThat(row.ratePerSecond()).hasValue(200);
                assertThat(row.outcome().calls() + row.outcome().failures()).isEqualTo(200);
                assertThat(row.nodes()).isEmpty();
            });
            try (RegistryClient client = RegistryClient.connect(address.toString())) {
                assertThat(client.status().instances()).isZero();
            }
        }
    }

    @Test
    void sweepMarksTheHighestRateThatWasKept() {
        List<LoadRow> rows = LoadBench.run(
                plan(List.of(), List.of("heartbeat"), List.of(), true),
                new TestingClusters(folder),
                GENERATION,
                now -> {});
        assertThat(rows).hasSize(9);
        assertThat(rows.get(0).ratePerSecond()).isEmpty();
        assertThat(rows.subList(1, 9))
                .allSatisfy(row -> assertThat(row.ratePerSecond()).isPresent());
        assertThat(rows.stream().filter(LoadRow::knee).count()).isLessThanOrEqualTo(1);
    }
}
