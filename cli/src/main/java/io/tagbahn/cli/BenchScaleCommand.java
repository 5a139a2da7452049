// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.plot.Figure;
import io.tagbahn.bench.scale.BeatRow;
import io.tagbahn.bench.scale.CostRow;
import io.tagbahn.bench.scale.EstimateRow;
import io.tagbahn.bench.scale.HeldRow;
import io.tagbahn.bench.scale.ScaleBench;
import io.tagbahn.bench.scale.ScalePlan;
import io.tagbahn.bench.scale.ScaleReport;
import io.tagbahn.bench.scale.ScaleResults;
import io.tagbahn.bench.scale.Setup;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench scale}. */
@Command(
        name = "scale",
        description =
                "Measures what registering, heartbeats and lookups cost as tags, instances, nodes and replicas grow, up to"
                        + " 100,000 instances with 1,000,000 tags on one node and on five: time, CPU of the nodes, messages"
                        + " between them, memory; and estimates it for clusters that are too large to run here.",
        footer = {
            "",
            "With 1,000,000 tags five nodes take about 4 GB of memory together; all of it takes about half an hour on two"
                    + " processors.",
            "",
            "Examples:",
            "  tagbahn bench scale --quick",
            "  tagbahn bench scale --out results",
            "  tagbahn bench scale --nodes 3 --instances 1000,10000"
        })
final class BenchScaleCommand implements Callable<Integer> {

    private final Environment environment;

    @Option(
            names = "--tags",
            paramLabel = "N",
            split = ",",
            description = "Tags of each instance, with commas between. Default: 1,10,100,1000.")
    private List<Integer> tags = List.of();

    @Option(
            names = "--instances",
            paramLabel = "N",
            split = ",",
            description = "Instances with ten tags each, with commas between; as many as the last are kept alive by"
                    + " heartbeats. Default: 100,1000,10000,100000.")
    private List<Integer> instances = List.of();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            split = ",",
            description = "Sizes of clusters, with commas between. Default: 1,2,3,4,5.")
    private List<Integer> nodes = List.of();

    @Option(
            names = "--replicas",
            paramLabel = "K",
            split = ",",
            description = "Nodes that hold each tag, with commas between. Default: 1,2,3,5.")
    private List<Integer> replicas = List.of();

    @Option(names = "--duration", paramLabel = "DURATION", description = "Of each load. Default: 2s.")
    private @Nullable Duration length;

    @Option(
            names = "--warm-up",
            paramLabel = "DURATION",
            description = "How long each operation is used on a cluster before it is measured. Default: 8s.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--heartbeats",
            paramLabel = "DURATION",
            description = "How long heartbeats are counted, three times. Default: 60s.")
    private @Nullable Duration beatLength;

    @Option(names = "--quick", description = "Fewer and shorter, for the shapes: about two minutes.")
    private boolean quick;

    @Mixin
    private KeptFigures figures = new KeptFigures();

    BenchScaleCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        ScalePlan plan = plan();
        environment.stop().heed();
        Path data = NodeSettings.fresh();
        ScaleResults results;
        try {
            results = ScaleBench.run(
                    plan, data, InstantSource.system().millis(), environment.nanos(), new Progress(environment)::at);
        } finally {
            Folders.remove(data);
        }
        figures.deliver("scale", document(results), new ScaleReport(plan, results), environment);
        return ExitCode.DONE;
    }

    private ScalePlan plan() {
        ScalePlan usual = quick ? ScalePlan.quick() : ScalePlan.full();
        try {
            return new ScalePlan(
                    tags.isEmpty() ? usual.tags() : tags,
                    instances.isEmpty() ? usual.instances() : instances,
                    nodes.isEmpty() ? usual.nodes() : nodes,
                    replicas.isEmpty() ? usual.replicas() : replicas,
                    length == null ? usual.length() : length,
                    warmUp == null ? usual.warmUp() : warmUp,
                    beatLength == null ? usual.beatLength() : beatLength);
        } catch (IllegalArgumentException e) {
            throw new UsageError("--" + e.getMessage());
        }
    }

    private static JsonObject document(ScaleResults results) {
        JsonArray costs = new JsonArray();
        results.costs().forEach(row -> costs.add(cost(row)));
        JsonObject document = KeptFigures.document(costs);
        JsonArray held = new JsonArray();
        results.held().forEach(row -> held.add(held(row)));
        document.add("held", held);
        JsonArray beats = new JsonArray();
        results.beats().forEach(row -> beats.add(beat(row)));
        document.add("heartbeats", beats);
        JsonArray estimates = new JsonArray();
        results.estimates().forEach(row -> estimates.add(estimate(row)));
        document.add("estimate", estimates);
        return document;
    }

    private static JsonObject of(Setup setup) {
        JsonObject document = new JsonObject();
        document.addProperty("nodes", setup.nodes());
        document.addProperty("replicas", setup.replicas());
        document.addProperty("instances", setup.instances());
        document.addProperty("tagsPerInstance", setup.tagsPerInstance());
        return document;
    }

    private static JsonObject cost(CostRow row) {
        JsonObject document = of(row.setup());
        document.addProperty("operation", row.operation().label());
        document.addProperty("p50Micros", Figure.rounded(row.p50Micros()));
        document.addProperty("p99Micros", Figure.rounded(row.p99Micros()));
        document.addProperty("cpuMicros", Figure.rounded(row.cpuMicros()));
        document.addProperty("messages", Figure.rounded(row.messages()));
        document.addProperty("messagesExpected", Figure.rounded(row.messagesExpected()));
        document.addProperty("messageBytes", Figure.rounded(row.messageBytes()));
        document.addProperty("errors", row.errors());
        return document;
    }

    private static JsonObject held(HeldRow row) {
        JsonObject document = of(row.setup());
        document.addProperty("fillSeconds", Figure.rounded(row.fillSeconds()));
        document.addProperty("rssBytes", row.residentBytes());
        document.addProperty("heapBytes", row.heapBytes());
        document.addProperty("listSeconds", Figure.rounded(row.listSeconds()));
        document.addProperty("listed", row.listed());
        document.addProperty("expected", row.expected());
        return document;
    }

    private static JsonObject beat(BeatRow row) {
        JsonObject document = of(row.setup());
        document.addProperty("leasesPerCall", row.leasesPerCall());
        document.addProperty("callsPerSecond", Figure.rounded(row.callsPerSecond()));
        document.addProperty("cpuPercent", Figure.rounded(row.cpuPercent()));
        document.addProperty("cpuPercentMost", Figure.rounded(row.cpuPercentMost()));
        document.addProperty("p99Micros", Figure.rounded(row.p99Micros()));
        document.addProperty("errors", row.errors());
        return document;
    }

    private static JsonObject estimate(EstimateRow row) {
        JsonObject document = new JsonObject();
        document.addProperty("operation", row.operation().label());
        document.addProperty("nodes", row.nodes());
        document.addProperty("replicas", row.replicas());
        document.addProperty("tagsPerInstance", row.tagsPerInstance());
        document.addProperty("messages", Figure.rounded(row.messages()));
        document.addProperty("messageBytes", Figure.rounded(row.messageBytes()));
        document.addProperty("cpuMicros", Figure.rounded(row.cpuMicros()));
        return document;
    }
}
