// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of {@code bench chaos}: what may never happen, however slow the machine. */
final class ChaosIT {

    private static final Duration RUN_MAX = Duration.ofMinutes(15);

    /** Figures that have to be zero in every row that has them. */
    private static final List<String> NEVER = List.of(
            "registrationsLost",
            "tagsMissingAfterwards",
            "empty",
            "wrong",
            "emptyOrWrong",
            "foundAfterwards",
            "lateAccepted",
            "back",
            "goneEarly",
            "notRegistered");

    @TempDir
    private Path folder;

    @Test
    void nothingIsLostOrWrongWhileNodesAreKilledRestartedAndJoin() {
        List<JsonObject> rows = run("lookups", "everywhere", "lease");
        assertThat(rows)
                .extracting(row -> row.get("scenario").getAsString())
                .contains("lookups", "everywhere", "lease");
        for (JsonObject row : rows) {
            assertThat(row.has("broken")).as(row.toString()).isFalse();
            for (String figure : NEVER) {
                if (row.has(figure)) {
                    assertThat(row.get(figure).getAsLong())
                            .as(figure + " in " + row)
                            .isZero();
                }
            }
        }
    }

    @Test
    void servicesAreRegisteredAgainAfterAllNodesHaveLostEverything() {
        List<JsonObject> rows = run("amnesia");
        assertThat(rows).hasSize(1);
        JsonObject row = rows.get(0);
        assertThat(row.has("broken")).as(row.toString()).isFalse();
        assertThat(row.get("tagsMissingAfterwards").getAsLong())
                .as(row.toString())
                .isZero();
        assertThat(row.get("notRegistered").getAsLong()).as(row.toString()).isZero();
    }

    private List<JsonObject> run(String... scenarios) {
        List<String> args = new ArrayList<>(List.of("bench", "chaos", "--quick", "--json", "--out", "out"));
        for (String scenario : scenarios) {
            args.add("--scenario");
            args.add(scenario);
        }
        try (TestingProcess chaos = TestingProcess.start(folder, args.toArray(String[]::new))) {
            // 1 where times were not as hoped for, as on a busy machine.
            assertThat(chaos.exitCode(RUN_MAX)).as(chaos.err()).isIn(0, 1);
            JsonObject document = JsonParser.parseString(chaos.out()).getAsJsonObject();
            assertThat(document.getAsJsonObject("machine").get("processors").getAsInt())
                    .isPositive();
            List<JsonObject> rows = new ArrayList<>();
            for (JsonElement row : document.getAsJsonArray("rows")) {
                rows.add(row.getAsJsonObject());
            }
            return rows;
        }
    }
}
