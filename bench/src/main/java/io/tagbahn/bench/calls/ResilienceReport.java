// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.bench.plot.BarPlot;
import io.tagbahn.bench.plot.BarPlot.Bar;
import io.tagbahn.bench.plot.BarPlot.Series;
import io.tagbahn.bench.plot.Figure;
import io.tagbahn.bench.plot.Page;
import io.tagbahn.bench.plot.Report;
import io.tagbahn.client.calls.CallCounters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What was measured of callers of backends that leak. */
public final class ResilienceReport implements Report {

    private static final List<String> HEAD = List.of(
            "policy",
            "requests",
            "errorShare",
            "p50Millis",
            "p90Millis",
            "p95Millis",
            "maxMillis",
            "amplification",
            "restarts");

    private final List<ResilienceRow> rows;

    public ResilienceReport(List<ResilienceRow> rows) {
        this.rows = List.copyOf(rows);
    }

    @Override
    public List<List<String>> table() {
        List<List<String>> table = new ArrayList<>();
        table.add(HEAD);
        for (ResilienceRow row : rows) {
            table.add(List.of(
                    row.policy().toString(),
                    Long.toString(row.requests()),
                    Figure.of(row.errorShare()),
                    Figure.of(row.millis(50)),
                    Figure.of(row.millis(90)),
                    Figure.of(row.millis(95)),
                    Figure.of(row.millis(100)),
                    Figure.of(row.amplification()),
                    Integer.toString(row.restarts())));
        }
        return table;
    }

    /** How the calls ended. */
    @Override
    public Map<String, List<List<String>>> moreTables() {
        List<List<String>> table = new ArrayList<>();
        table.add(List.of(
                "policy",
                "answered",
                "outcomeUnknown",
                "notSent",
                "bulkheadFull",
                "breakersOpen",
                "throttled",
                "retries",
                "budgetSpent",
                "breakersOpened",
                "ejections"));
        for (ResilienceRow row : rows) {
            CallCounters counters = row.counters();
            table.add(Stream.concat(
                            Stream.of(row.policy().toString()),
                            LongStream.of(
                                            counters.answered(),
                                            counters.outcomeUnknown(),
                                            counters.notSent(),
                                            counters.bulkheadFull(),
                                            counters.breakersOpen(),
                                            counters.throttled(),
                                            counters.retries(),
                                            counters.budgetSpent(),
                                            counters.breakersOpened(),
                                            counters.ejections())
                                    .mapToObj(Long::toString))
                    .toList());
        }
        return Map.of("outcomes", table);
    }

    @Override
    public Map<String, String> plots() {
        List<String> groups = rows.stream().map(row -> row.policy().toString()).toList();
        Map<String, String> plots = new LinkedHashMap<>();
        plots.put(
                "latency",
                new BarPlot(
                                "How long requests took",
                                "ms",
                                groups,
                                List.of(bars("median", 50), bars("95th percentile", 95)))
                        .svg());
        plots.put(
                "errors",
                new BarPlot(
                                "Requests that failed, of a hundred",
                                "%",
                                groups,
                                List.of(new Series(
                                        "errors",
                                        rows.stream()
                                                .map(row -> level(100 * row.errorShare()))
                                                .toList())))
                        .svg());
        return plots;
    }

    private Series bars(String name, double percentile) {
        return new Series(
                name,
                rows.stream()
                        .map(row -> new Bar(row.millis(percentile), row.millis(percentile), row.millis(percentile)))
                        .toList());
    }

    private static Bar level(double height) {
        return new Bar(height, height, height);
    }

    @Override
    public String html(String machine) {
        Page page = new Page("Callers of backends that leak memory")
                .paragraph("Measured on " + machine + ".")
                .paragraph("Backends retain memory for each request, answer nothing once it is"
                        + " full, are killed when they have missed three questions for their health, and started again."
                        + " Callers find them through the registry and make calls at a steady rate.")
                .paragraph("none: a random host and one attempt. retry: two more at other hosts, without a budget."
                        + " breaker, bulkhead: one for each host. all: what the library does by default. Times are of all"
                        + " requests, those that failed included.");
        plots().values().forEach(page::plot);
        page.table(table());
        moreTables().values().forEach(page::table);
        return page.end();
    }
}
