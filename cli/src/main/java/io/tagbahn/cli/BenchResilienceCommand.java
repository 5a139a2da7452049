// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.calls.Policy;
import io.tagbahn.bench.calls.ResilienceBench;
import io.tagbahn.bench.calls.ResiliencePlan;
import io.tagbahn.bench.calls.ResilienceReport;
import io.tagbahn.bench.calls.ResilienceRow;
import io.tagbahn.bench.plot.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench resilience}. */
@Command(
        name = "resilience",
        description = "Calls backends that retain memory for each request until they are killed and started again,"
                + " through callers that do nothing about it, that retry, that have a circuit breaker, that have a"
                + " bulkhead, and that do all of it.",
        footer = {
            "",
            "Examples:",
            "  tagbahn bench resilience --quick",
            "  tagbahn bench resilience --policy none,all --duration 3m --out results"
        })
final class BenchResilienceCommand implements Callable<Integer> {

    private final Environment environment;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            split = ",",
            description = "none, retry, breaker, bulkhead, all; with commas between. Default: each of them.")
    private List<Policy> policies = List.of(Policy.values());

    @Option(names = "--backends", paramLabel = "N", description = "Processes that leak. Default: 8.")
    private int backends = 8;

    @Option(names = "--rate", paramLabel = "N", description = "Requests a second, all together. Default: 60.")
    private double rate = 60;

    @Option(names = "--duration", paramLabel = "DURATION", description = "Of the load of each policy. Default: 2m.")
    private @Nullable Duration length;

    @Option(names = "--quick", description = "Less memory and shorter times: under a minute.")
    private boolean quick;

    @Mixin
    private KeptFigures figures = new KeptFigures();

    BenchResilienceCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (backends < 1 || backends > 20) {
            throw new UsageError("--backends " + backends + " is not within 1..20");
        }
        if (!(rate >= 1 && rate <= 1_000)) {
            throw new UsageError("--rate " + rate + " is not within 1..1000");
        }
        Duration usual = quick ? Duration.ofSeconds(5) : Duration.ofMinutes(2);
        Duration duration = length == null ? usual : length;
        ResiliencePlan plan = quick
                ? ResiliencePlan.quick(policies, backends, rate, duration)
                : ResiliencePlan.full(policies, backends, rate, duration);
        environment.stop().heed();
        Path data = NodeSettings.fresh();
        List<ResilienceRow> rows;
        try {
            Progress progress = new Progress(environment);
            rows = ResilienceBench.run(plan, new ProcessClusters(data, environment), progress::at);
        } finally {
            Folders.remove(data);
        }
        figures.deliver("resilience", document(rows), new ResilienceReport(rows), environment);
        return ExitCode.DONE;
    }

    private static JsonObject document(List<ResilienceRow> rows) {
        JsonArray array = new JsonArray();
        for (ResilienceRow row : rows) {
            JsonObject document = new JsonObject();
            document.addProperty("policy", row.policy().toString());
            document.addProperty("requests", row.requests());
            document.addProperty("errorShare", Figure.rounded(row.errorShare()));
            document.addProperty("p50Millis", Figure.rounded(row.millis(50)));
            document.addProperty("p90Millis", Figure.rounded(row.millis(90)));
            document.addProperty("p95Millis", Figure.rounded(row.millis(95)));
            document.addProperty("maxMillis", Figure.rounded(row.millis(100)));
            document.addProperty("amplification", Figure.rounded(row.amplification()));
            document.addProperty("restarts", row.restarts());
            array.add(document);
        }
        return KeptFigures.document(array);
    }
}
