// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.overload.OverloadBench;
import io.tagbahn.bench.overload.OverloadPlan;
import io.tagbahn.bench.overload.OverloadReport;
import io.tagbahn.bench.overload.OverloadResults;
import io.tagbahn.bench.overload.OverloadRow;
import io.tagbahn.bench.plot.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench overload}. */
@Command(
        name = "overload",
        description =
                "Offers a cluster up to ten times what it can answer, with the contract under load and without: what is"
                        + " answered in time, what is refused and what a refusal costs, how often callers call again, whether"
                        + " leases are lost, and how long it takes until all is as before.",
        footer = {
            "",
            "Nodes and the load that is made are held to processors of their own where there is taskset, so that one does"
                    + " not take from the other.",
            "",
            "Examples:",
            "  tagbahn bench overload --quick",
            "  tagbahn bench overload --out results",
            "  tagbahn bench overload --nodes 3 --times 1,4"
        })
final class BenchOverloadCommand implements Callable<Integer> {

    private final Environment environment;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes of the cluster. Default: 1.")
    private @Nullable Integer nodes;

    @Option(
            names = "--times",
            paramLabel = "N",
            split = ",",
            description =
                    "Times of what can be sustained that are offered, with commas between. Default: 0.5,1,2,5,10.")
    private List<Double> times = List.of();

    @Option(
            names = "--peers-per-tag",
            paramLabel = "N",
            description = "Live instances in each answer: what an answer weighs. Default: 50.")
    private @Nullable Integer peersPerTag;

    @Option(names = "--leases", paramLabel = "N", description = "Renewed throughout. Default: 1000.")
    private @Nullable Integer leases;

    @Option(names = "--deadline", paramLabel = "DURATION", description = "Of each call. Default: 500ms.")
    private @Nullable Duration deadline;

    @Option(names = "--warm-up", paramLabel = "DURATION", description = "Default: 12s.")
    private @Nullable Duration warmUp;

    @Option(names = "--duration", paramLabel = "DURATION", description = "Of each load. Default: 8s.")
    private @Nullable Duration length;

    @Option(names = "--quick", description = "Fewer and shorter, for the shapes: under a minute.")
    private boolean quick;

    @Mixin
    private KeptFigures figures = new KeptFigures();

    BenchOverloadCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        OverloadPlan plan = plan();
        environment.stop().heed();
        Path data = NodeSettings.fresh();
        OverloadResults results;
        try {
            results = OverloadBench.run(plan, data, InstantSource.system().millis(), environment::say);
        } finally {
            Folders.remove(data);
        }
        figures.deliver("overload", document(results), new OverloadReport(results), environment);
        return ExitCode.DONE;
    }

    private OverloadPlan plan() {
        OverloadPlan usual = quick ? OverloadPlan.quick() : OverloadPlan.full();
        try {
            return new OverloadPlan(
                    nodes == null ? usual.nodes() : nodes,
                    times.isEmpty() ? usual.times() : times,
                    peersPerTag == null ? usual.peersPerTag() : peersPerTag,
                    leases == null ? usual.leases() : leases,
                    deadline == null ? usual.deadline() : deadline,
                    warmUp == null ? usual.warmUp() : warmUp,
                    length == null ? usual.length() : length,
                    usual.after());
        } catch (IllegalArgumentException e) {
            throw new UsageError("--" + e.getMessage());
        }
    }

    private static JsonObject document(OverloadResults results) {
        JsonArray rows = new JsonArray();
        results.rows().forEach(row -> rows.add(row(results, row)));
        JsonObject document = KeptFigures.document(rows);
        document.addProperty("answerCpuMicros", Figure.rounded(results.answerMicros()));
        document.addProperty("refusalCpuMicros", Figure.rounded(results.refusalMicros()));
        document.addProperty("pinned", results.pinned());
        return document;
    }

    private static JsonObject row(OverloadResults results, OverloadRow row) {
        JsonObject document = new JsonObject();
        document.addProperty("contract", OverloadReport.contract(row));
        document.addProperty("callers", row.manners().name().toLowerCase(Locale.ROOT));
        document.addProperty("factor", Figure.rounded(row.times()));
        document.addProperty("offeredPerSecond", Math.round(row.offeredPerSecond()));
        document.addProperty("goodputPerSecond", Math.round(row.goodPerSecond()));
        document.addProperty("bestPerSecond", Math.round(results.bestPerSecond(row)));
        document.addProperty("sustainedPerSecond", Math.round(row.sustainedPerSecond()));
        document.addProperty("rejectedPerSecond", Math.round(row.refusedPerSecond()));
        document.addProperty("timedOutPerSecond", Math.round(row.timedOutPerSecond()));
        document.addProperty("keptBackPerSecond", Math.round(row.keptBackPerSecond()));
        document.addProperty("amplification", Figure.rounded(row.amplification()));
        document.addProperty("p50Millis", Figure.rounded(row.p50Millis()));
        document.addProperty("p99Millis", Figure.rounded(row.p99Millis()));
        document.addProperty("cpuMicrosPerGood", Figure.rounded(row.cpuMicrosPerGood()));
        document.addProperty("beatsFailedPercent", Figure.rounded(row.beatsFailed()));
        document.addProperty("leasesLost", row.leasesLost());
        row.backMillis().ifPresent(millis -> document.addProperty("backMillis", Math.round(millis)));
        return document;
    }
}
