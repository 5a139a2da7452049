// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.compare;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.compare.Comparison.Times;
import io.tagbahn.bench.plot.Figure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Runs of two builds, alternating: first, second, second, first and so on, so that whatever drifts on the machine falls
 * on both.
 */
public final class CommitRuns {

    private static final String MAIN = "io.tagbahn.bench.micro.Micro";
    private static final int ROUNDS = 8;
    private static final int MILLIS = 300;
    private static final int WARM_UPS = 5;
    private static final double LEAST_SHARE = 0.02;
    private static final long SEED = 1;

    private final Build first;
    private final Build second;
    private final int rounds;
    private final String pattern;
    private final int millis;
    private final double leastShare;
    private final boolean json;

    /**
     * A commit that was built.
     *
     * @param commit as the caller named it
     * @param classPath with the micro-benchmarks
     * @param runs so far
     */
    private record Build(String commit, String classPath, List<MicroRun> runs) {

        Build(String commit, String classPath) {
            this(commit, classPath, new ArrayList<>());
        }

        List<Double> medians(String benchmark) {
            return runs.stream().flatMap(run -> run.medians(benchmark).stream()).toList();
        }
    }

    private CommitRuns(Build first, Build second, Map<String, String> options, boolean json) {
        this.first = first;
        this.second = second;
        this.rounds =
                within("--rounds", options.getOrDefault("--rounds", Integer.toString(ROUNDS)), RankSum.SAMPLE_MAX);
        this.millis = within("--millis", options.getOrDefault("--millis", Integer.toString(MILLIS)), 60_000);
        this.pattern = options.getOrDefault("--benchmarks", ".*");
        this.leastShare = Double.parseDouble(options.getOrDefault("--least", Double.toString(LEAST_SHARE)));
        this.json = json;
    }

    private static int within(String option, String text, int max) {
        int value = Integer.parseInt(text);
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(option + " " + value + " is not within 1.." + max);
        }
        return value;
    }

    /**
     * As the command line says.
     *
     * @param args name and class path of either build, then options
     */
    public static CommitRuns of(List<String> args) {
        if (args.size() < 4) {
            throw new IllegalArgumentException("name and class path of two builds are needed; see bench/compare");
        }
        Map<String, String> options = new HashMap<>();
        boolean json = false;
        for (int i = 4; i < args.size(); i++) {
            if (args.get(i).equals("--json")) {
                json = true;
            } else if (i + 1 < args.size()
                    && List.of("--rounds", "--benchmarks", "--millis", "--least")
                            .contains(args.get(i))) {
                options.put(args.get(i), args.get(++i));
            } else {
                throw new IllegalArgumentException("'" + args.get(i) + "' is not understood; see bench/compare");
            }
        }
        return new CommitRuns(new Build(args.get(0), args.get(1)), new Build(args.get(2), args.get(3)), options, json);
    }

    public boolean isJsonWanted() {
        return json;
    }

    /** Runs them, which takes minutes. */
    public List<Difference> run(Consumer<String> progress) throws IOException, InterruptedException {
        for (int round = 0; round < rounds; round++) {
            List<Build> inTurn = round % 2 == 0 ? List.of(first, second) : List.of(second, first);
            for (Build build : inTurn) {
                progress.accept("round " + (round + 1) + " of " + rounds + ": " + build.commit());
                build.runs().add(run(build));
            }
        }
        List<Times> times = new ArrayList<>();
        first.runs()
                .get(0)
                .units()
                .forEach((benchmark, unit) ->
                        times.add(new Times(benchmark, unit, first.medians(benchmark), second.medians(benchmark))));
        if (!Comparison.isEnough(rounds, times.size())) {
            progress.accept("note: with " + rounds + " rounds a change in one of " + times.size()
                    + " benchmarks may not show as beyond noise; take more rounds or fewer benchmarks");
        }
        return Comparison.of(times, leastShare, new SplittableRandom(SEED));
    }

    /** One fork of each benchmark. */
    private MicroRun run(Build build) throws IOException, InterruptedException {
        Path result = Files.createTempFile("micro", ".json");
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            build.classPath(),
                            MAIN,
                            pattern,
                            "--quiet",
                            "yes",
                            "--forks",
                            "1",
                            "--warm-ups",
                            Integer.toString(WARM_UPS),
                            "--millis",
                            Integer.toString(millis),
                            "--json",
                            result.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException("the benchmarks of " + build.commit() + " ended with " + process.exitValue());
            }
            return MicroRun.parse(Files.readString(result, StandardCharsets.UTF_8));
        } finally {
            Files.delete(result);
        }
    }

    /** For people. */
    public String table(List<Difference> differences) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-42s %12s %12s  %-6s  ratio (95 %% within)  p%n",
                "BENCHMARK",
                first.commit(),
                second.commit(),
                "UNIT"));
        for (Difference each : differences) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-42s %12s %12s  %-6s  %.3f (%.3f..%.3f)  %.2g  %s%n",
                    each.benchmark(),
                    Figure.of(each.firstMedian()),
                    Figure.of(each.secondMedian()),
                    each.unit(),
                    each.ratio(),
                    each.low(),
                    each.high(),
                    each.probability(),
                    each.verdict()));
        }
        return text.toString();
    }

    /** For programs. */
    public String json(List<Difference> differences) {
        JsonArray rows = new JsonArray();
        for (Difference each : differences) {
            JsonObject row = new JsonObject();
            row.addProperty("benchmark", each.benchmark());
            row.addProperty("unit", each.unit());
            row.addProperty("firstMedian", each.firstMedian());
            row.addProperty("secondMedian", each.secondMedian());
            row.addProperty("ratio", each.ratio());
            row.addProperty("ratioLow", each.low());
            row.addProperty("ratioHigh", each.high());
            row.addProperty("p", each.probability());
            row.addProperty("verdict", each.verdict().name());
            rows.add(row);
        }
        JsonObject document = new JsonObject();
        document.addProperty("first", first.commit());
        document.addProperty("second", second.commit());
        document.addProperty("rounds", rounds);
        document.add("rows", rows);
        return document + "\n";
    }
}
