// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class ThesisReportTest {

    private static ThesisReport report() {
        List<ThesisRow> rows = new ArrayList<>();
        for (Experiment experiment : Experiment.values()) {
            for (int nodes : List.of(2, 5)) {
                for (int replicas : List.of(1, 10)) {
                    rows.add(new ThesisRow(
                            experiment, nodes, replicas, 3, new Summary(15, 4.5, 4.25, 9, 1.5), 0.5, 0, 120));
                }
            }
        }
        return new ThesisReport(rows);
    }

    @Test
    void tableHasARowForEachExperimentAndSetup() {
        List<List<String>> table = report().table();
        assertThat(table).hasSize(1 + 6 * 4).allSatisfy(row -> assertThat(row).hasSameSizeAs(table.get(0)));
        assertThat(table.get(1))
                .startsWith("T2", "single", "2", "1", "3", "15", "4.5", "4.25", "9", "1.5", "0.5", "8.5");
        assertThat(report().csv().lines()).hasSize(25).first().asString().startsWith("table,mode,nodes,replicas");
    }

    @Test
    void plotsAreWellFormedAndThereIsOneForEachTableAndNumberOfReplicas() throws Exception {
        assertThat(report().plots()).containsOnlyKeys("T2-k1", "T2-k10", "T3-k1", "T3-k10", "T4-k1", "T4-k10");
        for (String svg : report().plots().values()) {
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)));
            assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(document.getElementsByTagName("rect").getLength()).isGreaterThan(2);
        }
    }

    @Test
    void pageNeedsNothingFromElsewhere() {
        String html = report().html("a machine of <two> & more");
        assertThat(html)
                .contains("&lt;two&gt; &amp; more")
                .doesNotContain("<script", "src=", "href=", "@import", "url(");
        assertThat(html.split("<svg ", -1)).hasSize(7);
        assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http");
    }
}
