// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class ScaleReportTest {

    private static ScaleReport report() {
        ScalePlan plan = ScalePlan.quick();
        List<CostRow> costs = new ArrayList<>();
        for (Setup setup : plan.small()) {
            for (ScaleOperation operation : ScaleOperation.values()) {
                costs.add(new CostRow(setup, operation, 100, 250, 40, setup.nodes() - 1.0, 2, 500, 0));
            }
        }
        Setup many = plan.filled().get(0);
        return new ScaleReport(
                plan,
                new ScaleResults(
                        costs,
                        List.of(new HeldRow(many, 2.5, 200 << 20, 100 << 20, 0.5, 11_000, 11_000)),
                        List.of(new BeatRow(many, 0, 0, 3, 1.5, 0, 0), new BeatRow(many, 100, 100, 13, 5, 900, 0)),
                        List.of(new EstimateRow(1_000, 3, 100, ScaleOperation.REGISTER, 250, 40_000, 9_000))));
    }

    @Test
    void tablesHaveARowForEachFigureAndNoCommas() {
        List<List<List<String>>> tables = new ArrayList<>(List.of(report().table()));
        tables.addAll(report().moreTables().values());
        assertThat(tables)
                .hasSize(4)
                .allSatisfy(table -> assertThat(table).hasSizeGreaterThan(1).allSatisfy(row -> {
                    assertThat(row).hasSameSizeAs(table.get(0));
                    assertThat(String.join("", row)).doesNotContain(",");
                }));
        assertThat(report().moreTables()).containsOnlyKeys("held", "heartbeats", "estimate");
        assertThat(report().csv()).startsWith("operation,nodes,replicas,instances");
    }

    @Test
    void plotsAreWellFormedAndHaveAPointForEachCost() throws Exception {
        assertThat(report().plots())
                .containsKeys("cpu-by-tags", "messages-by-nodes", "cpu-by-replicas", "messages-by-instances");
        for (String svg : report().plots().values()) {
            assertThat(parsed(svg).getDocumentElement().getTagName()).isEqualTo("svg");
        }
        // One, ten and a hundred tags, for each of four operations.
        assertThat(parsed(Objects.requireNonNull(report().plots().get("cpu-by-tags")))
                        .getElementsByTagName("circle")
                        .getLength())
                .isEqualTo(12);
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void pageNeedsNothingFromElsewhere() {
        String html = report().html("a machine");
        assertThat(html).contains("11000").doesNotContain("<script", "src=", "href=", "@import", "url(");
        assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http");
    }
}
