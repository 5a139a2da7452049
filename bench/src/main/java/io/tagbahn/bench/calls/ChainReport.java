// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

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

/** What was measured of the chain with a slow end. */
public final class ChainReport implements Report {

    private static final List<String> HEAD = List.of(
            "contract", "phase", "kind", "requests", "errorShare", "p50Millis", "p90Millis", "p95Millis", "maxMillis");

    private final List<ChainRow> rows;

    public ChainReport(List<ChainRow> rows) {
        this.rows = List.copyOf(rows);
    }

    /** How the contract is written. */
    public static String contract(ChainRow row) {
        return row.contract() ? "on" : "off";
    }

    @Override
    public List<List<String>> table() {
        List<List<String>> table = new ArrayList<>();
        table.add(HEAD);
        for (ChainRow row : rows) {
            table.add(List.of(
                    contract(row),
                    row.phase(),
                    row.kind(),
                    Long.toString(row.requests()),
                    Figure.of(row.errorShare()),
                    Figure.of(row.millis(50)),
                    Figure.of(row.millis(90)),
                    Figure.of(row.millis(95)),
                    Figure.of(row.millis(100))));
        }
        return table;
    }

    @Override
    public Map<String, String> plots() {
        Map<String, String> plots = new LinkedHashMap<>();
        for (String kind : List.of("alone", "chain")) {
            List<ChainRow> some =
                    rows.stream().filter(row -> row.kind().equals(kind)).toList();
            plots.put(
                    kind,
                    new BarPlot(
                                    kind.equals("alone")
                                            ? "Requests that the front answers alone: median, 95th percentile (line)"
                                            : "Requests through the chain: median, 95th percentile (line)",
                                    "ms",
                                    some.stream()
                                            .map(ChainRow::phase)
                                            .distinct()
                                            .toList(),
                                    List.of(series(some, false), series(some, true)))
                            .svg());
        }
        return plots;
    }

    private static Series series(List<ChainRow> rows, boolean contract) {
        return new Series(
                contract ? "with the contract" : "without",
                rows.stream()
                        .filter(row -> row.contract() == contract)
                        .map(row -> new Bar(row.millis(50), row.millis(95), row.millis(50)))
                        .toList());
    }

    @Override
    public String html(String machine) {
        Page page = new Page("A chain of four processes with a slow end")
                .paragraph("Measured on " + machine + ".")
                .paragraph(
                        "Four processes with sixteen threads each, of which each calls the next. In the phase slow the"
                                + " last one takes seconds for an answer. alone: requests that the front answers without the"
                                + " others; chain: those that go through all. Without the contract, calls wait for thirty seconds"
                                + " and as many as come; with it, they have the deadline of the request, a bulkhead, a breaker and"
                                + " a budget for repetitions. Times are of all requests, those that failed included.");
        plots().values().forEach(page::plot);
        return page.table(table()).end();
    }
}
