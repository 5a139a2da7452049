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
            "contract",
            "callers",
            "factor",
            "offeredPerSecond",
            "goodputPerSecond",
            "bestPerSecond",
            "shareOfBest",
            "sustainedPerSecond",
            "rejectedPerSecond",
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
                    contract(row),
                    row.manners().name().toLowerCase(Locale.ROOT),
                    Figure.of(row.times()),
                    rounded(row.offeredPerSecond()),
                    rounded(row.goodPerSecond()),
                    rounded(results.bestPerSecond(row)),
                    Figure.of(row.goodPerSecond() / Math.max(1, results.bestPerSecond(row))),
                    rounded(row.sustainedPerSecond()),
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

    /** Who keeps to it: {@code off} where nobody does, {@code server}, {@code both}. */
    public static String contract(OverloadRow row) {
        if (!row.enforced()) {
            return "off";
        }
        return row.manners() == Manners.OBEDIENT ? "both" : "server";
    }

    private static String rounded(double value) {
        return Long.toString(Math.round(value));
    }

    @Override
    public Map<String, List<List<String>>> moreTables() {
        return Map.of(
                "costs",
                List.of(
                        List.of("answerCpuMicros", "refusalCpuMicros", "share", "pinned"),
                        List.of(
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
            lines.computeIfAbsent(contract(row), line -> new ArrayList<>())
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
                .paragraph(
                        "A closed loop tells before and after each load how many calls a second can be sustained; so many"
                                + " times that were then offered, whatever became of them. Lines are"
                                + " named after who keeps to the contract: nobody, the nodes, or nodes and callers. Naive callers"
                                + " call again at once, three times.");
        plots().values().forEach(page::plot);
        page.table(table());
        moreTables().values().forEach(page::table);
        return page.end();
    }
}
