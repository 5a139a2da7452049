// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.calls.ChainBench;
import io.tagbahn.bench.calls.ChainPlan;
import io.tagbahn.bench.calls.ChainReport;
import io.tagbahn.bench.calls.ChainRow;
import io.tagbahn.bench.plot.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench chain}. */
@Command(
        name = "chain",
        description =
                "Makes the last of four processes slow that call each other in a chain, with the contract between them"
                        + " and without: how the first one goes on answering.",
        footer = {"", "Examples:", "  tagbahn bench chain --quick", "  tagbahn bench chain --slow 1m --out results"})
final class BenchChainCommand implements Callable<Integer> {

    private final Environment environment;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests a second that the front answers alone, and as many through the chain. Default: 20.")
    private double rate = 20;

    @Option(names = "--slow", paramLabel = "DURATION", description = "How long the last one is slow. Default: 30s.")
    private @Nullable Duration slow;

    @Option(
            names = "--around",
            paramLabel = "DURATION",
            description = "How long is measured before that, and after it. Default: 10s.")
    private @Nullable Duration around;

    @Option(
            names = "--slowness",
            paramLabel = "DURATION",
            description = "What the last one takes for an answer then. Default: 5s.")
    private Duration slowness = Duration.ofSeconds(5);

    @Option(names = "--quick", description = "Shorter: under a minute.")
    private boolean quick;

    @Mixin
    private KeptFigures figures = new KeptFigures();

    BenchChainCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (!(rate >= 1 && rate <= 500)) {
            throw new UsageError("--rate " + rate + " is not within 1..500");
        }
        Duration usual = Duration.ofSeconds(quick ? 8 : 30);
        Duration beside = around == null ? Duration.ofSeconds(quick ? 4 : 10) : around;
        ChainPlan plan =
                new ChainPlan(rate, beside, slow == null ? usual : slow, beside, slowness, Duration.ofSeconds(1));
        environment.stop().heed();
        Path data = NodeSettings.fresh();
        List<ChainRow> rows;
        try {
            Progress progress = new Progress(environment);
            rows = ChainBench.run(plan, new ProcessClusters(data, environment), progress::at);
        } finally {
            Folders.remove(data);
        }
        figures.deliver("chain", document(rows), new ChainReport(rows), environment);
        return ExitCode.DONE;
    }

    private static JsonObject document(List<ChainRow> rows) {
        JsonArray array = new JsonArray();
        for (ChainRow row : rows) {
            JsonObject document = new JsonObject();
            document.addProperty("contract", ChainReport.contract(row));
            document.addProperty("phase", row.phase());
            document.addProperty("kind", row.kind());
            document.addProperty("requests", row.requests());
            document.addProperty("errorShare", Figure.rounded(row.errorShare()));
            document.addProperty("p50Millis", Figure.rounded(row.millis(50)));
            document.addProperty("p90Millis", Figure.rounded(row.millis(90)));
            document.addProperty("p95Millis", Figure.rounded(row.millis(95)));
            document.addProperty("maxMillis", Figure.rounded(row.millis(100)));
            array.add(document);
        }
        return KeptFigures.document(array);
    }
}
