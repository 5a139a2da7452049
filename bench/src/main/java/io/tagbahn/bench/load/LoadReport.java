// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

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

/** What was measured under load, for people, spreadsheets and browsers. */
public final class LoadReport implements Report {

    private static final double MIB = 1 << 20;

    private static final List<String> HEAD = List.of(
            "operation",
            "tagsPerCall",
            "connections",
            "load",
            "perSecond",
            "echoPerSecond",
            "p50Micros",
            "p99Micros",
            "p999Micros",
            "p9999Micros",
            "maxMicros",
            "errors",
            "cpuMicrosPerCall",
            "heapMiB",
            "rssMiB",
            "gcPauses",
            "gcMaxMillis",
            "knee");

    private final List<LoadRow> rows;

    public LoadReport(List<LoadRow> rows) {
        this.rows = List.copyOf(rows);
    }

    /** Rows of texts, the first one the head; {@code -} where there is no figure. */
    @Override
    public List<List<String>> table() {
        List<List<String>> table = new ArrayList<>();
        table.add(HEAD);
        for (LoadRow row : rows) {
            List<String> texts = new ArrayList<>(List.of(
                    row.mix().toString().replace(',', ' '),
                    Integer.toString(row.tagsPerCall()),
                    Integer.toString(row.connections()),
                    load(row),
                    Long.toString(Math.round(row.outcome().callsPerSecond())),
                    Long.toString(Math.round(row.echo().callsPerSecond())),
                    Figure.of(row.micros(50)),
                    Figure.of(row.micros(99)),
                    Figure.of(row.micros(99.9)),
                    Figure.of(row.micros(99.99)),
                    Figure.of(row.micros(100)),
                    Long.toString(row.outcome().failures())));
            texts.addAll(row.nodes()
                    .map(use -> List.of(
                            Figure.of(use.cpuMicrosPerCall()),
                            Figure.of(use.heapBytes() / MIB),
                            Figure.of(use.residentBytes() / MIB),
                            Integer.toString(use.pauses()),
                            Figure.of(use.pauseMillisMax())))
                    .orElse(List.of("-", "-", "-", "-", "-")));
            texts.add(row.knee() ? "knee" : "-");
            table.add(texts);
        }
        return table;
    }

    private static String load(LoadRow row) {
        return row.ratePerSecond().isPresent()
                ? Math.round(row.ratePerSecond().getAsDouble()) + "/s"
                : row.inFlight() + " in flight";
    }

    /** SVG documents by a name that is good for a file: latencies of each mix under each load. */
    @Override
    public Map<String, String> plots() {
        Map<String, List<LoadRow>> byMix = new LinkedHashMap<>();
        rows.forEach(row -> byMix.computeIfAbsent(row.mix().toString(), mix -> new ArrayList<>())
                .add(row));
        Map<String, String> plots = new LinkedHashMap<>();
        byMix.forEach((mix, some) -> plots.put(mix.replaceAll("[^A-Za-z0-9]+", "-"), plot(mix, some)));
        return plots;
    }

    private static String plot(String mix, List<LoadRow> rows) {
        return new BarPlot(
                        mix + ": latency by load",
                        "µs",
                        rows.stream().map(LoadReport::load).toList(),
                        List.of(series("p50", rows, 50), series("p99", rows, 99), series("p99.9", rows, 99.9)))
                .svg();
    }

    private static Series series(String name, List<LoadRow> rows, double percentile) {
        return new Series(
                name,
                rows.stream()
                        .map(row -> new Bar(
                                row.micros(percentile),
                                row.micros(percentile),
                                row.echo().latencyNanos().getValueAtPercentile(percentile) / 1e3))
                        .toList());
    }

    @Override
    public String html(String machine) {
        Page page = new Page("Load")
                .paragraph("Measured on " + machine + ".")
                .paragraph(
                        "Bars are latencies in microseconds; the black marks across them are those of an echo under the"
                                + " same load. At a rate, they count from when a call was due.");
        plots().values().forEach(page::plot);
        return page.table(table()).end();
    }
}
