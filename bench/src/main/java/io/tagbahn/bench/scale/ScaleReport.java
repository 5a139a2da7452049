// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import io.tagbahn.bench.plot.Figure;
import io.tagbahn.bench.plot.LinePlot;
import io.tagbahn.bench.plot.LinePlot.Line;
import io.tagbahn.bench.plot.LinePlot.Point;
import io.tagbahn.bench.plot.Page;
import io.tagbahn.bench.plot.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What the registry costs as it grows, for people, spreadsheets and browsers. */
public final class ScaleReport implements Report {

    private static final double MIB = 1 << 20;
    private static final double MESSAGES_SHOWN_MIN = 0.05;

    private final ScalePlan plan;
    private final ScaleResults results;

    public ScaleReport(ScalePlan plan, ScaleResults results) {
        this.plan = plan;
        this.results = results;
    }

    @Override
    public List<List<String>> table() {
        List<List<String>> table = new ArrayList<>();
        table.add(List.of(
                "operation",
                "nodes",
                "replicas",
                "instances",
                "tagsPerInstance",
                "p50Micros",
                "p99Micros",
                "cpuMicros",
                "messages",
                "messagesExpected",
                "messageBytes",
                "errors"));
        for (CostRow row : results.costs()) {
            table.add(List.of(
                    row.operation().label(),
                    Integer.toString(row.setup().nodes()),
                    Integer.toString(row.setup().replicas()),
                    Integer.toString(row.setup().instances()),
                    Integer.toString(row.setup().tagsPerInstance()),
                    Figure.of(row.p50Micros()),
                    Figure.of(row.p99Micros()),
                    Figure.of(row.cpuMicros()),
                    Figure.of(row.messages()),
                    Figure.of(row.messagesExpected()),
                    Figure.of(row.messageBytes()),
                    Long.toString(row.errors())));
        }
        return table;
    }

    @Override
    public Map<String, List<List<String>>> moreTables() {
        Map<String, List<List<String>>> tables = new LinkedHashMap<>();
        tables.put("held", held());
        tables.put("heartbeats", heartbeats());
        tables.put("estimate", estimate());
        return tables;
    }

    private List<List<String>> held() {
        List<List<String>> table = new ArrayList<>();
        table.add(List.of(
                "nodes", "instances", "tags", "fillSeconds", "rssMiB", "heapMiB", "listSeconds", "listed", "expected"));
        for (HeldRow row : results.held()) {
            table.add(List.of(
                    Integer.toString(row.setup().nodes()),
                    Integer.toString(row.setup().instances()),
                    Integer.toString(row.setup().instances() * row.setup().tagsPerInstance()),
                    Figure.of(row.fillSeconds()),
                    Figure.of(row.residentBytes() / MIB),
                    Figure.of(row.heapBytes() / MIB),
                    Figure.of(row.listSeconds()),
                    Integer.toString(row.listed()),
                    Integer.toString(row.expected())));
        }
        return table;
    }

    private List<List<String>> heartbeats() {
        List<List<String>> table = new ArrayList<>();
        table.add(List.of(
                "nodes",
                "instances",
                "leasesPerCall",
                "callsPerSecond",
                "cpuPercent",
                "cpuPercentMost",
                "p99Micros",
                "errors"));
        for (BeatRow row : results.beats()) {
            table.add(List.of(
                    Integer.toString(row.setup().nodes()),
                    Integer.toString(row.setup().instances()),
                    row.leasesPerCall() == 0 ? "none" : Integer.toString(row.leasesPerCall()),
                    Figure.of(row.callsPerSecond()),
                    Figure.of(row.cpuPercent()),
                    Figure.of(row.cpuPercentMost()),
                    Figure.of(row.p99Micros()),
                    Long.toString(row.errors())));
        }
        return table;
    }

    private List<List<String>> estimate() {
        List<List<String>> table = new ArrayList<>();
        table.add(
                List.of("operation", "nodes", "replicas", "tagsPerInstance", "messages", "messageBytes", "cpuMicros"));
        for (EstimateRow row : results.estimates()) {
            table.add(List.of(
                    row.operation().label(),
                    Integer.toString(row.nodes()),
                    Integer.toString(row.replicas()),
                    Integer.toString(row.tagsPerInstance()),
                    Figure.of(row.messages()),
                    Figure.of(row.messageBytes()),
                    Figure.of(row.cpuMicros())));
        }
        return table;
    }

    /** A series of setups that differ in one number. */
    private record Varied(String name, String across, ToDoubleFunction<Setup> number, Predicate<Setup> among) {}

    private List<Varied> series() {
        int most = plan.nodesMost();
        int usual = ScalePlan.REPLICAS_USUAL;
        Predicate<Setup> small = setup -> setup.instances() == ScalePlan.INSTANCES_USUAL;
        Predicate<Setup> hundred = small.and(setup -> setup.tagsPerInstance() == ScalePlan.TAGS_USUAL);
        return List.of(
                new Varied(
                        "tags",
                        "tags of each instance; " + most + " nodes, k = " + usual,
                        Setup::tagsPerInstance,
                        small.and(setup -> setup.nodes() == most && setup.replicas() == usual)
                                .and(setup -> plan.tags().contains(setup.tagsPerInstance()))),
                new Varied(
                        "nodes",
                        "nodes; k = " + usual + ", " + ScalePlan.TAGS_USUAL + " tags an instance",
                        Setup::nodes,
                        hundred.and(setup -> setup.replicas() == usual)),
                new Varied(
                        "replicas",
                        "k, nodes that hold each tag; " + most + " nodes, " + ScalePlan.TAGS_USUAL
                                + " tags an instance",
                        Setup::replicas,
                        hundred.and(setup -> setup.nodes() == most)),
                new Varied(
                        "instances",
                        "instances with " + ScalePlan.TAGS_OF_MANY + " tags each; " + most + " nodes, k = " + usual,
                        Setup::instances,
                        setup -> setup.tagsPerInstance() == ScalePlan.TAGS_OF_MANY
                                && setup.nodes() == most
                                && plan.instances().contains(setup.instances())));
    }

    @Override
    public Map<String, String> plots() {
        Map<String, String> plots = new LinkedHashMap<>();
        for (Varied varied : series()) {
            plots.put(
                    "cpu-by-" + varied.name(),
                    plot("CPU of all nodes for a call, by " + varied.name(), "µs", varied, CostRow::cpuMicros));
            plots.put(
                    "messages-by-" + varied.name(),
                    plot("Messages between nodes for a call, by " + varied.name(), "", varied, ScaleReport::messages));
        }
        plots.put("estimate-messages", estimated("messages", "", EstimateRow::messages));
        plots.put("estimate-cpu", estimated("CPU of all nodes", "µs", EstimateRow::cpuMicros));
        return plots;
    }

    /** A message in twenty calls and more: what repair and the like add would stretch the scale. */
    private static double messages(CostRow row) {
        return row.messages() < MESSAGES_SHOWN_MIN ? 0 : row.messages();
    }

    private String plot(String title, String unit, Varied varied, ToDoubleFunction<CostRow> height) {
        List<Line> lines = Arrays.stream(ScaleOperation.values())
                .map(operation -> new Line(
                        operation.label(),
                        results.costs().stream()
                                .filter(row -> row.operation() == operation
                                        && varied.among().test(row.setup()))
                                .map(row -> new Point(
                                        varied.number().applyAsDouble(row.setup()), height.applyAsDouble(row)))
                                .toList()))
                .toList();
        return new LinePlot(title, varied.across(), unit, lines).svg();
    }

    private String estimated(String what, String unit, ToDoubleFunction<EstimateRow> height) {
        int tags = plan.tags().get(plan.tags().size() - 1);
        List<Line> lines = Arrays.stream(ScaleOperation.values())
                .map(operation -> new Line(
                        operation.label(),
                        results.estimates().stream()
                                .filter(row -> row.operation() == operation && row.tagsPerInstance() == tags)
                                .map(row -> new Point(row.nodes(), height.applyAsDouble(row)))
                                .toList()))
                .toList();
        return new LinePlot(
                        "Estimate: " + what + " for a call, " + tags + " tags an instance",
                        "nodes; k = " + ScalePlan.REPLICAS_USUAL,
                        unit,
                        lines)
                .svg();
    }

    @Override
    public String html(String machine) {
        Page page = new Page("Scale")
                .paragraph("Measured on " + machine + ".")
                .paragraph("Both scales are in powers of ten: what does not grow lies level. CPU is that of all nodes"
                        + " together, under 16 calls at a time; messages are requests from node to node, with what repair"
                        + " and the like add.")
                .paragraph(
                        "register: an instance with all its tags; heartbeat: of one instance; tagDiscover-one: of one"
                                + " tag; tagDiscover-all: of all tags of an instance in one call.");
        plots().values().forEach(page::plot);
        page.table(table());
        page.paragraph("Clusters filled with many tags; memory is that of the node that takes most.")
                .table(held());
        page.paragraph("Heartbeats, each instance every ten seconds; percent of one core, of all nodes together and of"
                        + " the node that takes most.")
                .table(heartbeats());
        page.paragraph("Estimates: messages by the placement on rings of so many nodes; bytes and CPU by what calls,"
                        + " messages and tags cost in the clusters above.")
                .table(estimate());
        return page.end();
    }
}
