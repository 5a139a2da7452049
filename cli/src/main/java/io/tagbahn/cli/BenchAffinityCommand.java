// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.calls.AffinityBench;
import io.tagbahn.bench.calls.AffinityPlan;
import io.tagbahn.bench.calls.AffinityReport;
import io.tagbahn.bench.calls.AffinityRow;
import io.tagbahn.bench.plot.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench affinity}. */
@Command(
        name = "affinity",
        description =
                "Sends requests through a pipeline of five stages in two zones with a delay between them: each stage"
                        + " calls any instance of the next, or a near one. And the same where the near instance of one stage bears"
                        + " less than the load.",
        footer = {
            "",
            "Examples:",
            "  tagbahn bench affinity --quick",
            "  tagbahn bench affinity --rate 25,50 --delay 5ms --duration 1m --out results"
        })
final class BenchAffinityCommand implements Callable<Integer> {

    private final Environment environment;

    @Option(
            names = "--rate",
            paramLabel = "N",
            split = ",",
            description = "Requests a second, with commas between. Default: 25,50.")
    private List<Double> rates = List.of(25.0, 50.0);

    @Option(
            names = "--overload-rate",
            paramLabel = "N",
            description = "Requests a second where one near instance bears some 38. Default: 60.")
    private double overloadRate = 60;

    @Option(names = "--delay", paramLabel = "DURATION", description = "Between the zones, one way. Default: 5ms.")
    private Duration delay = Duration.ofMillis(5);

    @Option(names = "--duration", paramLabel = "DURATION", description = "Of each load. Default: 30s.")
    private @Nullable Duration length;

    @Option(names = "--quick", description = "Shorter: under a minute.")
    private boolean quick;

    @Mixin
    private KeptFigures figures = new KeptFigures();

    BenchAffinityCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        for (double rate : rates) {
            within("--rate", rate, 1, 1_000);
        }
        within("--overload-rate", overloadRate, 1, 1_000);
        within("--delay", (double) delay.toMillis(), 0, 1_000);
        AffinityPlan plan = new AffinityPlan(
                rates,
                overloadRate,
                length == null ? Duration.ofSeconds(quick ? 4 : 30) : length,
                Duration.ofMillis(5),
                delay,
                Duration.ofSeconds(1));
        environment.stop().heed();
        Path data = NodeSettings.fresh();
        List<AffinityRow> rows;
        try {
            Progress progress = new Progress(environment);
            rows = AffinityBench.run(plan, new ProcessClusters(data, environment), progress::at);
        } finally {
            Folders.remove(data);
        }
        figures.deliver("affinity", document(rows), new AffinityReport(rows), environment);
        return ExitCode.DONE;
    }

    private static void within(String option, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new UsageError(option + " " + value + " is not within " + min + ".." + max);
        }
    }

    private static JsonObject document(List<AffinityRow> rows) {
        JsonArray array = new JsonArray();
        for (AffinityRow row : rows) {
            JsonObject document = new JsonObject();
            document.addProperty("policy", row.route().toString());
            document.addProperty("case", row.situation());
            document.addProperty("ratePerSecond", Figure.rounded(row.ratePerSecond()));
            document.addProperty("meanMillis", Figure.rounded(row.meanMillis()));
            document.addProperty("medianMillis", Figure.rounded(row.millis(50)));
            document.addProperty("p90Millis", Figure.rounded(row.millis(90)));
            document.addProperty("p95Millis", Figure.rounded(row.millis(95)));
            document.addProperty("maxMillis", Figure.rounded(row.millis(100)));
            document.addProperty("completed", row.completed());
            document.addProperty("errors", row.errors());
            array.add(document);
        }
        return KeptFigures.document(array);
    }
}
