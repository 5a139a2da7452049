// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import io.tagbahn.bench.plot.BarPlot;
import io.tagbahn.bench.plot.BarPlot.Bar;
import io.tagbahn.bench.plot.BarPlot.Series;
import io.tagbahn.bench.plot.Figure;
import io.tagbahn.bench.plot.Page;
import io.tagbahn.bench.plot.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured, for people, spreadsheets and browsers. */
public final class ThesisReport implements Report {

    private static final List<String> HEAD = List.of(
            "table",
            "mode",
            "nodes",
            "replicas",
            "runs",
            "samples",
            "meanMillis",
            "medianMillis",
            "p95Millis",
            "stdevMillis",
            "floorMillis",
            "timesFloor",
            "repeated",
            "coldMillis");

    private static final Map<String, String> TITLES = Map.of(
            "T2", "T2: registering all tags",
            "T3", "T3: discovering 100 names",
            "T4", "T4: listing all entries");

    private final List<ThesisRow> rows;

    public ThesisReport(List<ThesisRow> rows) {
        this.rows = List.copyOf(rows);
    }

    /** Rows of texts, the first one the head. */
    @Override
    public List<List<String>> table() {
        List<List<String>> table = new ArrayList<>();
        table.add(HEAD);
        for (ThesisRow row : rows) {
            Summary times = row.times();
            table.add(List.of(
                    row.table(),
                    row.mode(),
                    Integer.toString(row.nodes()),
                    Integer.toString(row.replicas()),
                    Integer.toString(row.runs()),
                    Integer.toString(times.samples()),
                    Figure.of(times.meanMillis()),
                    Figure.of(times.medianMillis()),
                    Figure.of(times.p95Millis()),
                    Figure.of(times.stdevMillis()),
                    Figure.of(row.floorMillis()),
                    Figure.of(row.timesFloor()),
                    Integer.toString(row.repeated()),
                    Figure.of(row.coldMillis())));
        }
        return table;
    }

    /** SVG documents by a name that is good for a file: one for each table and number of replicas. */
    @Override
    public Map<String, String> plots() {
        Map<String, String> plots = new LinkedHashMap<>();
        for (String table : List.of("T2", "T3", "T4")) {
            for (int replicas :
                    rows.stream().map(ThesisRow::replicas).distinct().toList()) {
                List<ThesisRow> some = rows.stream()
                        .filter(row -> row.table().equals(table) && row.replicas() == replicas)
                        .toList();
                plots.put(table + "-k" + replicas, plot(TITLES.getOrDefault(table, table) + ", k = " + replicas, some));
            }
        }
        return plots;
    }

    private static String plot(String title, List<ThesisRow> rows) {
        Map<String, List<Bar>> byMode = new LinkedHashMap<>();
        rows.forEach(row -> byMode.computeIfAbsent(row.mode(), mode -> new ArrayList<>())
                .add(new Bar(row.times().medianMillis(), row.times().p95Millis(), row.floorMillis())));
        List<String> groups = rows.stream()
                .map(ThesisRow::nodes)
                .distinct()
                .map(nodes -> nodes + (nodes == 1 ? " node" : " nodes"))
                .toList();
        return new BarPlot(
                        title,
                        "ms",
                        groups,
                        byMode.entrySet().stream()
                                .map(mode -> new Series(mode.getKey(), mode.getValue()))
                                .toList())
                .svg();
    }

    @Override
    public String html(String machine) {
        Page page = new Page("The thesis's experiments")
                .paragraph("Measured on " + machine + ".")
                .paragraph(
                        "Bars are medians in milliseconds, the thin lines go up to the 95th percentile, and the black"
                                + " marks across the bars are the floor: the same calls with the same bytes, to an echo.")
                .paragraph("T2: single is one registration a name, in parallel; batch30 is one instance, thirty tags a"
                        + " call; multi is one instance in one call. T3: single is one discover a name, in parallel;"
                        + " multi is one tagDiscover. T4 is serviceNames.");
        plots().values().forEach(page::plot);
        return page.table(table()).end();
    }
}
