// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.tagbahn.bench.plot.Figure;
import io.tagbahn.bench.thesis.ThesisBench;
import io.tagbahn.bench.thesis.ThesisPlan;
import io.tagbahn.bench.thesis.ThesisReport;
import io.tagbahn.bench.thesis.ThesisRow;
import io.tagbahn.model.Tag;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench thesis}. */
@Command(
        name = "thesis",
        description =
                "Measures what the thesis measured, its tables 2, 3 and 4: registering 1,000 tags one by one, thirty"
                        + " at a time and at once; discovering 100 names one by one and at once; listing all. On clusters of"
                        + " several sizes, each of processes of its own, new and empty for every run; beside an echo, which"
                        + " moves the same bytes through the same code and does nothing.",
        footer = {
            "",
            "Examples:",
            "  tagbahn bench thesis --quick",
            "  tagbahn bench thesis --nodes 5 --replicas 1,5,10 --runs 10 --out results"
        })
final class BenchThesisCommand implements Callable<Integer> {

    private static final Duration QUICK_WARM_UP = Duration.ofSeconds(3);
    private static final int QUICK_NODES = 5;
    private static final int QUICK_SAMPLES = 3;

    private final Environment environment;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            split = ",",
            description = "Sizes of the clusters, with commas between. Default: 2,3,4,5.")
    private List<Integer> nodes = List.of();

    @Option(
            names = "--replicas",
            paramLabel = "K",
            split = ",",
            description = "Nodes that hold each entry, with commas between. Default: 1,5,10.")
    private List<Integer> replicas = List.of(1, 5, 10);

    @Option(names = "--runs", paramLabel = "N", description = "Clusters of each kind. Default: 10.")
    private @Nullable Integer runs;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Times taken of everything on each cluster. Default: 5.")
    private @Nullable Integer samples;

    @Option(
            names = "--warm-up",
            paramLabel = "DURATION",
            description = "How long each cluster is used before it is measured. Default: 8s.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--tags",
            paramLabel = "FILE",
            description = "What to register, up to 1,000, one a line or N-Triples. Default: 1,000 triples of DBpedia.")
    private @Nullable String tagsFile;

    @Option(names = "--quick", description = "One run on five nodes for each K, with less warm-up: under a minute.")
    private boolean quick;

    @Mixin
    private TermOptions termOptions = new TermOptions();

    @Mixin
    private KeptFigures figures = new KeptFigures();

    BenchThesisCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        ThesisPlan plan = plan();
        environment.stop().heed();
        Path data = NodeSettings.fresh();
        List<ThesisRow> rows;
        try {
            Progress progress = new Progress(environment);
            rows = ThesisBench.run(plan, new ProcessClusters(data, environment), environment.nanos(), progress::at);
        } finally {
            Folders.remove(data);
        }
        figures.deliver("thesis", document(rows), new ThesisReport(rows), environment);
        return ExitCode.DONE;
    }

    private ThesisPlan plan() {
        within("--nodes", nodes, ThesisPlan.NODES_MAX);
        within("--replicas", replicas, ThesisPlan.NODES_MAX);
        within("--runs", runs == null ? List.of() : List.of(runs), ThesisPlan.RUNS_MAX);
        within("--samples", samples == null ? List.of() : List.of(samples), ThesisPlan.RUNS_MAX);
        List<Tag> tags = tagsFile == null
                ? ThesisBench.triples()
                : TagsFile.read(tagsFile, environment.in(), termOptions.terms());
        if (tags.isEmpty() || tags.size() > ThesisPlan.TAGS_MAX) {
            throw new UsageError("--tags: " + tags.size() + " tags are not within 1.." + ThesisPlan.TAGS_MAX);
        }
        Duration usual = quick ? QUICK_WARM_UP : Duration.ofSeconds(8);
        List<Integer> sizes = quick ? List.of(QUICK_NODES) : List.of(2, 3, 4, 5);
        return new ThesisPlan(
                nodes.isEmpty() ? sizes : nodes,
                replicas,
                runs == null ? (quick ? 1 : 10) : runs,
                samples == null ? (quick ? QUICK_SAMPLES : 5) : samples,
                warmUp == null ? usual : warmUp,
                tags);
    }

    private static void within(String option, List<Integer> values, int max) {
        for (int value : values) {
            if (value < 1 || value > max) {
                throw new UsageError(option + " " + value + " is not within 1.." + max);
            }
        }
    }

    private static JsonObject document(List<ThesisRow> rows) {
        JsonArray array = new JsonArray();
        rows.forEach(row -> array.add(row(row)));
        return KeptFigures.document(array);
    }

    private static JsonObject row(ThesisRow row) {
        JsonObject document = new JsonObject();
        document.addProperty("table", row.table());
        document.addProperty("mode", row.mode());
        document.addProperty("nodes", row.nodes());
        document.addProperty("replicas", row.replicas());
        document.addProperty("runs", row.runs());
        document.addProperty("samples", row.times().samples());
        document.addProperty("meanMillis", Figure.rounded(row.times().meanMillis()));
        document.addProperty("medianMillis", Figure.rounded(row.times().medianMillis()));
        document.addProperty("p95Millis", Figure.rounded(row.times().p95Millis()));
        document.addProperty("stdevMillis", Figure.rounded(row.times().stdevMillis()));
        document.addProperty("floorMillis", Figure.rounded(row.floorMillis()));
        document.addProperty("repeated", row.repeated());
        document.addProperty("coldMillis", Figure.rounded(row.coldMillis()));
        // The thesis's own figures are not at hand.
        document.add("thesisMillis", JsonNull.INSTANCE);
        return document;
    }
}
