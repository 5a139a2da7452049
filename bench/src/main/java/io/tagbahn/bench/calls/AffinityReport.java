// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.bench.plot.BarPlot;
import io.tagbahn.bench.plot.BarPlot.Bar;
import io.tagbahn.bench.plot.BarPlot.Series;
import io.tagbahn.bench.plot.Figure;
import io.tagbahn.bench.plot.Page;
import io.tagbahn.bench.plot.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was measured of the pipeline in two zones. */
public final class AffinityReport implements Report {

    private static final List<String> HEAD = List.of(
            "policy",
            "case",
            "ratePerSecond",
            "meanMillis",
            "medianMillis",
            "p90Millis",
            "p95Millis",
            "maxMillis",
            "completed",
            "errors");

    private final List<AffinityRow> rows;

    public AffinityReport(List<AffinityRow> rows) {
        this.rows = List.copyOf(rows);
    }

    @Override
    public List<List<String>> table() {
        List<List<String>> table = new ArrayList<>();
        table.add(HEAD);
        for (AffinityRow row : rows) {
            table.add(List.of(
                    row.route().toString(),
                    row.situation(),
                    Figure.of(row.ratePerSecond()),
                    Figure.of(row.meanMillis()),
                    Figure.of(row.millis(50)),
                    Figure.of(row.millis(90)),
                    Figure.of(row.millis(95)),
                    Figure.of(row.millis(100)),
                    Long.toString(row.completed()),
                    Long.toString(row.errors())));
        }
        return table;
    }

    @Override
    public Map<String, String> plots() {
        List<String> groups = rows.stream()
                .map(row -> row.route() + ", " + Figure.of(row.ratePerSecond()) + "/s"
                        + (row.situation().equals(PipelineZone.OVERLOAD) ? " (o)" : ""))
                .toList();
        List<Bar> bars = rows.stream()
                .map(row -> new Bar(row.meanMillis(), row.millis(95), row.millis(50)))
                .toList();
        return Map.of(
                "latency",
                new BarPlot(
                                "Requests through five stages in two zones: mean, median (mark), 95th percentile (line)",
                                "ms",
                                groups,
                                List.of(new Series("mean", bars)))
                        .svg());
    }

    @Override
    public String html(String machine) {
        Page page = new Page("A pipeline in two zones")
                .paragraph("Measured on " + machine + ".")
                .paragraph(
                        "Each request passes five stages, of which each zone has an instance; calls to the other zone are"
                                + " held up on the way there and back by the transport of the calling stage. Requests come in the"
                                + " first zone. (o): its instance of the third stage works on one request at a time and for longer,"
                                + " and bears less than the load.")
                .paragraph(
                        "random: any instance. nearest: the one in the zone, whatever its state. near: the one in the"
                                + " zone as long as it has room, what the library does by default.");
        plots().values().forEach(page::plot);
        return page.table(table()).end();
    }
}
