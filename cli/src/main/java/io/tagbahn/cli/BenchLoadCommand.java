// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.load.LoadBench;
import io.tagbahn.bench.load.LoadPlan;
import io.tagbahn.bench.load.LoadReport;
import io.tagbahn.bench.load.LoadRow;
import io.tagbahn.bench.load.Mix;
import io.tagbahn.bench.plot.Figure;
import io.tagbahn.model.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench load}. */
@Command(
        name = "load",
        description =
                "Measures calls a second and latencies under load, in a closed loop or at given rates, on a cluster"
                        + " that it starts or on one that runs; beside an echo, which moves the same bytes through the same code"
                        + " and does nothing.",
        footer = {
            "",
            "Latencies at a rate count from when a call was due, so that a node that pauses shows it.",
            "",
            "Examples:",
            "  tagbahn bench load --quick",
            "  tagbahn bench load --nodes 3 --operation tagDiscover=90,register=10 --sweep --out results",
            "  tagbahn bench load --registry 10.0.0.1:21300 --rate 1000,5000 --processes 2"
        })
final class BenchLoadCommand implements Callable<Integer> {

    private static final int COUNT_MAX = 1_000_000;

    private final Environment environment;

    @Option(
            names = "--registry",
            paramLabel = "HOST:PORT",
            split = ",",
            description =
                    "Nodes that run already. What is registered for the measurement is taken out again. Default: a"
                            + " cluster is started.")
    private List<HostPort> registry = List.of();

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "1", description = "Nodes of the cluster. Default: 1.")
    private int nodes;

    @Option(
            names = "--replicas",
            paramLabel = "K",
            defaultValue = "3",
            description = "Nodes that hold each entry. Default: 3.")
    private int replicas;

    @Option(
            names = "--operation",
            paramLabel = "NAME[=SHARE],...",
            description = "tagDiscover, discover, register, heartbeat, serviceNames, or several with their shares."
                    + " Repeatable: each is measured by itself. Default: tagDiscover.")
    private List<String> operations = List.of("tagDiscover");

    @Option(
            names = "--tags-per-call",
            paramLabel = "N",
            defaultValue = "1",
            description = "In a lookup or a registration. Default: 1.")
    private int tagsPerCall;

    @Option(
            names = "--tags",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Registered before it begins. Default: 1000.")
    private int tags;

    @Option(
            names = "--zipf",
            paramLabel = "EXPONENT",
            defaultValue = "0",
            description =
                    "How skewed the tags' popularity is: 0 for all alike, 1 where the n-th is asked for 1/n as often"
                            + " as the first. Default: 0.")
    private double zipf;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "16", description = "In all. Default: 16.")
    private int connections;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "64",
            description = "Calls on each connection, in a closed loop. Default: 64.")
    private int inFlight;

    @Option(
            names = "--rate",
            paramLabel = "N",
            split = ",",
            description = "Calls a second, with commas between: an open loop each. Default: a closed loop.")
    private List<Double> rates = List.of();

    @Option(
            names = "--sweep",
            description = "Look for the knee: the highest share of what a closed loop moves that is kept at a rate.")
    private boolean sweep;

    @Option(
            names = "--knee-p99",
            paramLabel = "DURATION",
            description = "99th percentile up to which a rate counts as kept. Default: 5ms.")
    private Duration kneeP99 = Duration.ofMillis(5);

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "1",
            description = "Processes that make the load. Default: 1.")
    private int processes;

    @Option(names = "--warm-up", paramLabel = "DURATION", description = "Default: 5s.")
    private @Nullable Duration warmUp;

    @Option(names = "--duration", paramLabel = "DURATION", description = "Of each load. Default: 10s.")
    private @Nullable Duration length;

    @Option(names = "--quick", description = "Shorter: under a minute, unless there is much to measure.")
    private boolean quick;

    @Mixin
    private KeptFigures figures = new KeptFigures();

    BenchLoadCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        LoadPlan plan = plan();
        environment.stop().heed();
        Path data = NodeSettings.fresh();
        List<LoadRow> rows;
        try {
            rows = LoadBench.run(
                    plan,
                    new ProcessClusters(data, environment),
                    InstantSource.system().millis(),
                    environment::say);
        } finally {
            Folders.remove(data);
        }
        figures.deliver("load", document(rows), new LoadReport(rows), environment);
        return ExitCode.DONE;
    }

    private LoadPlan plan() {
        within("--nodes", nodes, 1, 100);
        within("--replicas", replicas, 1, 64);
        within("--tags-per-call", tagsPerCall, 1, 10_000);
        within("--tags", tags, 1, COUNT_MAX);
        within("--processes", processes, 1, 64);
        within("--connections", connections, processes, 10_000);
        within("--in-flight", inFlight, 1, 8_192);
        if (!(zipf >= 0 && zipf <= 10)) {
            throw new UsageError("--zipf " + zipf + " is not within 0..10");
        }
        for (double rate : rates) {
            if (!(rate >= 1 && rate <= 10_000_000)) {
                throw new UsageError("--rate " + rate + " is not within 1..10000000");
            }
        }
        if (sweep && !rates.isEmpty()) {
            throw new UsageError("--sweep chooses the rates itself: leave out --rate");
        }
        return new LoadPlan(
                registry,
                nodes,
                replicas,
                operations.stream().map(BenchLoadCommand::mix).toList(),
                tagsPerCall,
                tags,
                zipf,
                connections,
                inFlight,
                rates,
                sweep,
                kneeP99,
                processes,
                warmUp == null ? Duration.ofSeconds(quick ? 3 : 5) : warmUp,
                length == null ? Duration.ofSeconds(quick ? 2 : 10) : length);
    }

    private static Mix mix(String text) {
        try {
            return Mix.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError("--operation '" + text + "': " + e.getMessage());
        }
    }

    private static void within(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new UsageError(option + " " + value + " is not within " + min + ".." + max);
        }
    }

    private static JsonObject document(List<LoadRow> rows) {
        JsonArray array = new JsonArray();
        rows.forEach(row -> array.add(row(row)));
        return KeptFigures.document(array);
    }

    private static JsonObject row(LoadRow row) {
        JsonObject document = new JsonObject();
        document.addProperty("operation", row.mix().toString());
        document.addProperty("tagsPerCall", row.tagsPerCall());
        document.addProperty("connections", row.connections());
        if (row.ratePerSecond().isPresent()) {
            document.addProperty(
                    "ratePerSecond", Figure.rounded(row.ratePerSecond().getAsDouble()));
        } else {
            document.addProperty("inFlight", row.inFlight());
        }
        document.addProperty("perSecond", Math.round(row.outcome().callsPerSecond()));
        document.addProperty("echoPerSecond", Math.round(row.echo().callsPerSecond()));
        document.addProperty("p50Micros", Figure.rounded(row.micros(50)));
        document.addProperty("p99Micros", Figure.rounded(row.micros(99)));
        document.addProperty("p999Micros", Figure.rounded(row.micros(99.9)));
        document.addProperty("p9999Micros", Figure.rounded(row.micros(99.99)));
        document.addProperty("maxMicros", Figure.rounded(row.micros(100)));
        document.addProperty("errors", row.outcome().failures());
        row.nodes().ifPresent(use -> {
            document.addProperty("cpuMicrosPerCall", Figure.rounded(use.cpuMicrosPerCall()));
            document.addProperty("heapBytes", use.heapBytes());
            document.addProperty("rssBytes", use.residentBytes());
            document.addProperty("gcPauses", use.pauses());
            document.addProperty("gcFullPauses", use.fullPauses());
            document.addProperty("gcMillis", Figure.rounded(use.pauseMillis()));
            document.addProperty("gcMaxMillis", Figure.rounded(use.pauseMillisMax()));
        });
        document.addProperty("knee", row.knee());
        return document;
    }
}
