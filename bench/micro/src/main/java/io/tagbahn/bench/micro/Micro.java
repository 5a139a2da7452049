// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.micro;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the micro-benchmarks, all or those whose names hold a pattern, with settings that take a few minutes for all.
 *
 * <pre>bench/run Micro [PATTERN] [--json FILE] [--forks 2] [--warm-ups 3] [--iterations 5] [--millis 500] [--quiet yes]</pre>
 *
 * <p>{@code --json} keeps JMH's own JSON, with every time that was taken.
 */
public final class Micro {

    private static final Set<String> OPTIONS =
            Set.of("--json", "--forks", "--warm-ups", "--iterations", "--millis", "--quiet");

    private Micro() {}

    public static void main(String[] args) throws RunnerException {
        boolean hasPattern = args.length > 0 && !args[0].startsWith("--");
        Map<String, String> options = new HashMap<>();
        for (int i = hasPattern ? 1 : 0; i < args.length; i += 2) {
            if (!OPTIONS.contains(args[i]) || i + 1 == args.length) {
                System.err.println("usage: Micro [PATTERN] [OPTION VALUE]...   options: " + OPTIONS);
                System.exit(2);
            }
            options.put(args[i], args[i + 1]);
        }
        Collection<RunResult> results = run(hasPattern ? args[0] : ".*", options);
        if (results.isEmpty()) {
            System.err.println("no benchmark is called like " + args[0]);
            System.exit(1);
        }
        results.forEach(result -> System.out.println(line(result)));
    }

    private static Collection<RunResult> run(String pattern, Map<String, String> options) throws RunnerException {
        TimeValue each = TimeValue.milliseconds(number(options, "--millis", 500));
        ChainedOptionsBuilder builder = new OptionsBuilder()
                .include(pattern)
                .forks(number(options, "--forks", 2))
                .warmupIterations(number(options, "--warm-ups", 3))
                .warmupTime(each)
                .measurementIterations(number(options, "--iterations", 5))
                .measurementTime(each)
                .jvmArgsAppend("-XX:+UseSerialGC", "-Xms512m", "-Xmx512m")
                .shouldFailOnError(true)
                .verbosity(options.containsKey("--quiet") ? VerboseMode.SILENT : VerboseMode.NORMAL);
        if (options.containsKey("--json")) {
            builder = builder.resultFormat(ResultFormatType.JSON).result(options.get("--json"));
        }
        return new Runner(builder.build()).run();
    }

    private static int number(Map<String, String> options, String option, int otherwise) {
        return Integer.parseInt(options.getOrDefault(option, Integer.toString(otherwise)));
    }

    private static String line(RunResult result) {
        Result<?> primary = result.getPrimaryResult();
        String name = result.getParams().getBenchmark();
        List<String> parameters = result.getParams().getParamsKeys().stream()
                .map(key -> key + "=" + result.getParams().getParam(key))
                .toList();
        return String.format(
                Locale.ROOT,
                "%-45s %,14.1f ± %,.1f %s",
                name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1)
                        + (parameters.isEmpty() ? "" : parameters.toString()),
                primary.getScore(),
                primary.getScoreError(),
                primary.getScoreUnit());
    }
}
