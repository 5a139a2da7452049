// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tagbahn.bench.plot.Report;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What becomes of a measurement's figures: a table or JSON, and files where a folder for them is named. */
final class KeptFigures {

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Keep the figures there as JSON and CSV, and the plots as SVG and on an HTML page, which needs no"
                            + " network. Default: nothing is kept.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    /** A document with a row for each line of the table; more can be added. */
    static JsonObject document(JsonArray rows) {
        JsonObject document = new JsonObject();
        document.add("machine", MachineForm.here());
        document.add("rows", rows);
        return document;
    }

    /**
     * Prints the figures, and keeps them where that was asked for.
     *
     * @param name of the measurement, which the files' names begin with
     */
    void deliver(String name, JsonObject document, Report report, Environment environment) {
        Path kept = out;
        if (kept != null) {
            Folders.write(kept.resolve(name + ".json"), document + "\n");
            Folders.write(kept.resolve(name + ".csv"), report.csv());
            report.moreTables()
                    .forEach((part, table) ->
                            Folders.write(kept.resolve(name + "-" + part + ".csv"), Report.csv(table)));
            Folders.write(kept.resolve(name + ".html"), report.html(MachineForm.inWords()));
            report.plots().forEach((plot, svg) -> Folders.write(kept.resolve(name + "-" + plot + ".svg"), svg));
        }
        if (json.isWanted()) {
            environment.out().json(document);
            return;
        }
        Table.print(environment.out(), report.table());
        report.moreTables().values().forEach(table -> {
            environment.out().line("");
            Table.print(environment.out(), table);
        });
    }
}
