// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import io.tagbahn.bench.plot.Figure;
import io.tagbahn.bench.plot.LinePlot;
import io.tagbahn.bench.plot.Page;
import io.tagbahn.bench.plot.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What was measured under overload, for people, spreadsheets and browsers. */
public final class OverloadReport implements Report {

    private static final List<String> HEAD = List.of(
            "nodes",
            "callers",
            "times",
            "offeredPerSecond",
            "goodPerSecond",
            "shareOfBest",
            "refusedPerSecond",
            "timedOutPerSecond",
            "keptBackPerSecond",
            "amplification",
            "p50Millis",
            "p99Millis",
            "cpuMicrosPerGood",
            "beatsFailedPercent",
            "leasesLost",
            "backMillis");

    private final OverloadResults results;

    public OverloadReport(OverloadResults results) {
        this.results = results;
    }

    @Override
    public List<List<String>> table() {
        List<List<String>> table = new ArrayList<>();
        table.add(HEAD);
        for (OverloadRow row : results.rows()) {
            table.add(List.of(
                    nodes(row),
                    row.manners().name().toLowerCase(Locale.ROOT),
                    Figure.of(row.times()),
                    rounded(row.offeredPerSecond()),
                    rounded(row.goodPerSecond()),
                    Figure.of(row.goodPerSecond() / best(results)),
                    rounded(row.refusedPerSecond()),
                    rounded(row.timedOutPerSecond()),
                    rounded(row.keptBackPerSecond()),
                    Figure.of(row.amplification()),
                    Figure.of(row.p50Millis()),
                    Figure.of(row.p99Millis()),
                    Figure.of(row.cpuMicrosPerGood()),
                    Figure.of(row.beatsFailed()),
                    Integer.toString(row.leasesLost()),
                    row.backMillis().isPresent() ? rounded(row.backMillis().getAsDouble()) : "never"));
        }
        return table;
    }

    /** The most good answers a second under any load where calls are refused. */
    public static double best(OverloadResults results) {
        return Math.max(
                1,
                results.rows().stream()
                        .filter(OverloadRow::enforced)
                        .mapToDouble(OverloadRow::goodPerSecond)
                        .max()
                        .orElse(1));
    }

    private static String nodes(OverloadRow row) {
        return row.enforced() ? "enforce" : "off";
    }

    private static String rounded(double value) {
        return Long.toString(Math.round(value));
    }

    @Override
    public Map<String, List<List<String>>> moreTables() {
        return Map.of(
                "costs",
                List.of(
                        List.of("sustainedPerSecond", "answerCpuMicros", "refusalCpuMicros", "share", "pinned"),
                        List.of(
                                rounded(results.sustainedPerSecond()),
                                Figure.of(results.answerMicros()),
                                Figure.of(results.refusalMicros()),
                                Figure.of(results.refusalMicros() / Math.max(1e-9, results.answerMicros())),
                                results.pinned() ? "yes" : "no")));
    }

    @Override
    public Map<String, String> plots() {
        Map<String, String> plots = new LinkedHashMap<>();
        plots.put("goodput", plot("Good answers by offered load", "a second", OverloadRow::goodPerSecond));
        plots.put("p99", plot("99th percentile of good answers by offered load", "ms", OverloadRow::p99Millis));
        plots.put(
                "amplification",
                plot("Requests for each call by offered load", "requests", OverloadRow::amplification));
        return plots;
    }

    private String plot(String title, String unit, ToDoubleFunction<OverloadRow> height) {
        Map<String, List<LinePlot.Point>> lines = new LinkedHashMap<>();
        for (OverloadRow row : results.rows()) {
            lines.computeIfAbsent(
                            nodes(row) + " / " + row.manners().name().toLowerCase(Locale.ROOT),
                            line -> new ArrayList<>())
                    .add(new LinePlot.Point(row.times(), height.applyAsDouble(row)));
        }
        return new LinePlot(
                        title,
                        "times of what can be sustained",
                        unit,
                        lines.entrySet().stream()
                                .map(line -> new LinePlot.Line(line.getKey(), line.getValue()))
                                .toList())
                .svg();
    }

    @Override
    public String html(String machine) {
        Page page = new Page("Overload")
                .paragraph("Measured on " + machine + ".")
                .paragraph("A closed loop gets " + rounded(results.sustainedPerSecond())
                        + " calls a second answered; as many and more were then offered, whatever became of them. Lines are"
                        + " named after what nodes do with calls that are too many, and after the callers' manners: naive"
                        + " ones call again at once, three times.");
        plots().values().forEach(page::plot);
        page.table(table());
        moreTables().values().forEach(page::table);
        return page.end();
    }
}
