// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.chaos.Chaos;
import io.tagbahn.bench.chaos.Finding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tagbahn bench chaos}. */
@Command(
        name = "chaos",
        description =
                "Shows how reliable a cluster is: starts nodes as processes of their own, kills, freezes, starves and"
                        + " parts them, and prints what came of it beside what was hoped for.",
        footer = {
            "",
            "Scenarios: kill, pause, starve, burst, rejoin, partition (needs root), lookups, amnesia, outage, lease,",
            "churn, everywhere.",
            "Exits with 0 where all was as hoped for or could not be tried, otherwise with 1.",
            "",
            "Examples:",
            "  tagbahn bench chaos --quick",
            "  tagbahn bench chaos --scenario kill --nodes 20 --out results"
        })
final class BenchChaosCommand implements Callable<Integer> {

    private static final int NODES_MIN = 3;
    private static final int NODES_MAX = 100;
    private static final int TRIALS_MAX = 10_000;
    private static final int OUTAGE_MAX = 3_600;

    private final Environment environment;

    @Option(names = "--scenario", paramLabel = "NAME", description = "Which. Repeatable. Default: all.")
    private List<String> scenarios = new ArrayList<>();

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes of each cluster. Default: as the scenario needs.")
    private @Nullable Integer nodes;

    @Option(names = "--trials", paramLabel = "N", description = "How often. Default: as the scenario needs.")
    private @Nullable Integer trials;

    @Option(
            names = "--outage",
            paramLabel = "SECONDS",
            description = "How long the registry is gone in the scenario of that name. Default: 60, quickly 10.")
    private @Nullable Integer outage;

    @Option(names = "--quick", description = "Few trials on three nodes, about a minute in all.")
    private boolean quick;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of what is left to chance.")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Keep chaos.json and what the nodes logged there. Default: nothing is kept.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    BenchChaosCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        check();
        Path kept = out;
        Path folder = kept == null ? NodeSettings.fresh() : kept;
        Chaos.Plan plan =
                new Chaos.Plan(scenarios, optional(nodes), optional(trials), quick, folder, seed, optional(outage));
        try {
            List<Finding> findings = run(plan);
            if (environment.stop().isRaised()) {
                environment.say("stopped before the end");
                return ExitCode.UNAVAILABLE;
            }
            JsonObject document = document(findings);
            if (json.isWanted()) {
                environment.out().json(document);
            }
            if (kept != null) {
                write(kept.resolve("chaos.json"), document.toString() + "\n");
            }
            boolean failed = findings.stream().anyMatch(finding -> finding.outcome() == Finding.Outcome.FAILED);
            return failed ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
        } finally {
            if (kept == null) {
                Folders.remove(folder);
            }
        }
    }

    /** In a thread of its own, so that a signal ends it, and with it all that it has started. */
    private List<Finding> run(Chaos.Plan plan) {
        environment.stop().heed();
        CompletableFuture<List<Finding>> run = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        run.complete(Chaos.run(
                                plan,
                                order -> NodeProcess.start(order, environment).started(),
                                environment::say,
                                this::tell));
                    } catch (RuntimeException e) {
                        run.completeExceptionally(e);
                    }
                },
                "chaos");
        thread.start();
        environment.stop().awaitOr(run);
        if (environment.stop().isRaised()) {
            thread.interrupt();
            return run.handle((findings, error) -> List.<Finding>of()).join();
        }
        try {
            return run.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void check() {
        for (String scenario : scenarios) {
            if (!Chaos.names().contains(scenario)) {
                throw new UsageError("--scenario '" + scenario + "' is none of " + String.join(", ", Chaos.names()));
            }
        }
        if (nodes != null && (nodes < NODES_MIN || nodes > NODES_MAX)) {
            throw new UsageError("--nodes " + nodes + " is not within " + NODES_MIN + ".." + NODES_MAX);
        }
        if (outage != null && (outage < 1 || outage > OUTAGE_MAX)) {
            throw new UsageError("--outage " + outage + " is not within 1.." + OUTAGE_MAX);
        }
        if (trials != null && (trials < 1 || trials > TRIALS_MAX)) {
            throw new UsageError("--trials " + trials + " is not within 1.." + TRIALS_MAX);
        }
    }

    private static OptionalInt optional(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private void tell(Finding finding) {
        if (json.isWanted()) {
            return;
        }
        String figures = finding.figures().entrySet().stream()
                .map(figure -> figure.getKey() + "=" + figure.getValue())
                .collect(Collectors.joining(" "));
        environment.out().line(finding.outcome() + "  " + finding.scenario() + "  " + figures);
        if (!finding.aim().isEmpty()) {
            environment.out().line("        aim: " + finding.aim());
        }
        environment.out().flush();
    }

    private static JsonObject document(List<Finding> findings) {
        JsonArray rows = new JsonArray();
        for (Finding finding : findings) {
            JsonObject row = new JsonObject();
            row.addProperty("scenario", finding.scenario());
            for (Map.Entry<String, Object> figure : finding.figures().entrySet()) {
                if (figure.getValue() instanceof Number number) {
                    row.addProperty(figure.getKey(), number);
                } else {
                    row.addProperty(figure.getKey(), figure.getValue().toString());
                }
            }
            row.addProperty("aim", finding.aim());
            row.addProperty("outcome", finding.outcome().name());
            rows.add(row);
        }
        JsonObject document = new JsonObject();
        document.add("machine", MachineForm.here());
        document.add("rows", rows);
        return document;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
