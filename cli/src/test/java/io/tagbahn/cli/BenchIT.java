// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The measurements as people start them, small: what they print, not how fast it is. */
final class BenchIT {

    @TempDir
    private Path folder;

    @Test
    void thesisPrintsARowForEachExperimentAndKeepsWhatWasAskedFor() throws IOException {
        Path tags = folder.resolve("tags.txt");
        Files.write(tags, IntStream.range(0, 40).mapToObj(i -> "urn:tag:" + i).toList());
        try (TestingProcess bench = TestingProcess.start(
                folder,
                "bench",
                "thesis",
                "--nodes",
                "2",
                "--replicas",
                "1,2",
                "--runs",
                "1",
                "--samples",
                "1",
                "--warm-up",
                "0s",
                "--tags",
                tags.toString(),
                "--out",
                "results",
                "--json")) {
            assertThat(bench.exitCode()).as(bench.err()).isZero();
            JsonObject document = JsonParser.parseString(bench.out()).getAsJsonObject();
            assertThat(document.getAsJsonObject("machine").get("processors").getAsInt())
                    .isPositive();
            Set<String> seen = new HashSet<>();
            document.getAsJsonArray("rows").forEach(each -> {
                JsonObject row = each.getAsJsonObject();
                assertThat(row.keySet())
                        .contains(
                                "table",
                                "mode",
                                "nodes",
                                "replicas",
                                "runs",
                                "meanMillis",
                                "medianMillis",
                                "p95Millis",
                                "stdevMillis",
                                "floorMillis",
                                "thesisMillis");
                assertThat(row.get("medianMillis").getAsDouble()).isPositive();
                assertThat(row.get("floorMillis").getAsDouble()).isPositive();
                seen.add(row.get("table").getAsString() + " " + row.get("mode").getAsString() + " "
                        + row.get("replicas").getAsInt());
            });
            assertThat(seen)
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.of("T2 single", "T2 batch30", "T2 multi", "T3 single", "T3 multi", "T4 multi")
                                    .flatMap(row -> Stream.of(row + " 1", row + " 2"))
                                    .toList());
            assertThat(bench.err()).contains("run 1 of 1: 2 nodes, k = 2");
        }
        for (String file :
                List.of("thesis.json", "thesis.csv", "thesis.html", "thesis-T2-k1.svg", "thesis-T4-k2.svg")) {
            assertThat(folder.resolve("results").resolve(file)).isNotEmptyFile();
        }
    }

    @Test
    void loadPrintsARowForEachOperationAndRate() {
        try (TestingProcess bench = TestingProcess.start(
                folder,
                "bench",
                "load",
                "--operation",
                "tagDiscover",
                "--operation",
                "heartbeat=1,register=1",
                "--rate",
                "50,100",
                "--connections",
                "2",
                "--tags",
                "100",
                "--warm-up",
                "0s",
                "--duration",
                "200ms",
                "--json")) {
            assertThat(bench.exitCode()).as(bench.err()).isZero();
            JsonObject document = JsonParser.parseString(bench.out()).getAsJsonObject();
            assertThat(document.getAsJsonArray("rows")).hasSize(4).allSatisfy(each -> {
                JsonObject row = each.getAsJsonObject();
                assertThat(row.keySet())
                        .contains(
                                "operation",
                                "tagsPerCall",
                                "connections",
                                "ratePerSecond",
                                "perSecond",
                                "echoPerSecond",
                                "p50Micros",
                                "p99Micros",
                                "p999Micros",
                                "errors",
                                "cpuMicrosPerCall",
                                "heapBytes",
                                "rssBytes")
                        .doesNotContain("inFlight");
                assertThat(row.get("errors").getAsInt()).isZero();
                assertThat(row.get("perSecond").getAsInt()).isPositive();
            });
        }
    }

    @Test
    void scalePrintsWhatEachOperationCostsAndKeepsAllTables() throws IOException {
        try (TestingProcess bench = TestingProcess.start(
                folder,
                "bench",
                "scale",
                "--tags",
                "100",
                "--instances",
                "100",
                "--nodes",
                "1",
                "--replicas",
                "3",
                "--duration",
                "100ms",
                "--warm-up",
                "0s",
                "--heartbeats",
                "300ms",
                "--out",
                "results",
                "--json")) {
            assertThat(bench.exitCode()).as(bench.err()).isZero();
            JsonObject document = JsonParser.parseString(bench.out()).getAsJsonObject();
            assertThat(document.getAsJsonArray("rows"))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.getAsJsonObject().keySet())
                            .contains(
                                    "operation",
                                    "nodes",
                                    "replicas",
                                    "instances",
                                    "tagsPerInstance",
                                    "cpuMicros",
                                    "messages"));
            assertThat(document.getAsJsonArray("held")).singleElement().satisfies(each -> {
                JsonObject held = each.getAsJsonObject();
                assertThat(held.get("listed").getAsInt())
                        .isEqualTo(held.get("expected").getAsInt());
            });
            assertThat(document.getAsJsonArray("heartbeats")).hasSize(3);
            assertThat(document.getAsJsonArray("estimate")).isNotEmpty();
        }
        for (String file : List.of(
                "scale.json",
                "scale.csv",
                "scale-held.csv",
                "scale-heartbeats.csv",
                "scale-estimate.csv",
                "scale.html",
                "scale-messages-by-tags.svg",
                "scale-cpu-by-nodes.svg")) {
            assertThat(folder.resolve("results").resolve(file)).isNotEmptyFile();
        }
    }

    @Test
    void resiliencePrintsARowForEachPolicy() throws IOException {
        JsonArray rows = rows("resilience", "--quick", "--policy", "none,all", "--backends", "2", "--duration", "1s");
        assertThat(rows).hasSize(2).allSatisfy(each -> {
            JsonObject row = each.getAsJsonObject();
            assertThat(row.keySet())
                    .contains(
                            "policy",
                            "errorShare",
                            "p50Millis",
                            "p90Millis",
                            "p95Millis",
                            "maxMillis",
                            "amplification");
            assertThat(row.get("requests").getAsInt()).isEqualTo(60);
        });
        assertThat(folder.resolve("results").resolve("resilience.html")).isNotEmptyFile();
    }

    @Test
    void affinityPrintsARowForEachRouteAndCase() throws IOException {
        JsonArray rows = rows("affinity", "--quick", "--rate", "20", "--overload-rate", "20", "--duration", "500ms");
        assertThat(rows).hasSize(5).allSatisfy(each -> {
            JsonObject row = each.getAsJsonObject();
            assertThat(row.keySet()).contains("policy", "case", "meanMillis", "medianMillis", "p95Millis", "errors");
            assertThat(row.get("completed").getAsInt()).isPositive();
        });
        assertThat(folder.resolve("results").resolve("affinity-latency.svg")).isNotEmptyFile();
    }

    @Test
    void chainPrintsARowForEachPhaseAndKind() throws IOException {
        JsonArray rows = rows("chain", "--around", "1s", "--slow", "1s", "--slowness", "300ms");
        assertThat(rows)
                .hasSize(12)
                .allSatisfy(each -> assertThat(each.getAsJsonObject().keySet())
                        .contains("contract", "phase", "kind", "requests", "errorShare", "p95Millis"));
        assertThat(folder.resolve("results").resolve("chain.csv")).isNotEmptyFile();
    }

    @Test
    void overloadPrintsARowForEachPartyThatKeepsToTheContract() throws IOException {
        JsonArray rows = rows(
                "overload", "--quick", "--times", "0.5", "--duration", "500ms", "--warm-up", "500ms", "--leases", "20");
        assertThat(rows).hasSize(3).allSatisfy(each -> {
            JsonObject row = each.getAsJsonObject();
            assertThat(row.keySet())
                    .contains(
                            "goodputPerSecond",
                            "bestPerSecond",
                            "rejectedPerSecond",
                            "amplification",
                            "p99Millis",
                            "leasesLost");
            assertThat(row.get("factor").getAsDouble()).isEqualTo(0.5);
        });
        assertThat(rows)
                .extracting(row -> row.getAsJsonObject().get("contract").getAsString())
                .containsExactly("off", "server", "both");
        assertThat(folder.resolve("results").resolve("overload.html")).isNotEmptyFile();
    }

    private JsonArray rows(String measurement, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("bench", measurement, "--out", "results", "--json"));
        arguments.addAll(List.of(options));
        try (TestingProcess bench = TestingProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(bench.exitCode()).as(bench.err()).isZero();
            return JsonParser.parseString(bench.out()).getAsJsonObject().getAsJsonArray("rows");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "thesis --nodes 0",
                "thesis --nodes 2,x",
                "thesis --replicas 99",
                "thesis --runs 0",
                "load --operation lookup",
                "load --rate 0",
                "load --sweep --rate 5",
                "load --connections 1 --processes 2",
                "load --zipf -1",
                "scale --nodes 0",
                "scale --tags 10,1",
                "scale --instances 1000000",
                "scale --duration 0s",
                "resilience --policy some",
                "resilience --backends 0",
                "resilience --rate 0",
                "affinity --rate 0",
                "affinity --delay 5s",
                "chain --rate 0"
            })
    void whatMakesNoSenseIsRefusedBeforeAnythingStarts(String command) {
        TestingRun.Outcome outcome = TestingRun.of(("bench " + command).split(" "));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("tagbahn: ");
    }
}
