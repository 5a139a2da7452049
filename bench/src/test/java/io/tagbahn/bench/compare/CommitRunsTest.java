// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tagbahn.bench.compare.Difference.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommitRunsTest {

    private static final Difference SLOWER =
            new Difference("Some.benchmark", "ns/op", 100, 120, 1.2, 1.1, 1.3, 0.002, Verdict.SLOWER);

    private static CommitRuns runs(String... options) {
        List<String> args = new ArrayList<>(List.of("old", "a.jar", "new", "b.jar"));
        args.addAll(List.of(options));
        return CommitRuns.of(args);
    }

    @Test
    void documentNamesBothCommitsAndEveryDifference() {
        CommitRuns runs = runs("--json", "--rounds", "5");
        assertThat(runs.isJsonWanted()).isTrue();
        JsonObject document = JsonParser.parseString(runs.json(List.of(SLOWER))).getAsJsonObject();
        assertThat(document.get("first").getAsString()).isEqualTo("old");
        assertThat(document.get("second").getAsString()).isEqualTo("new");
        assertThat(document.get("rounds").getAsInt()).isEqualTo(5);
        JsonObject row = document.getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.get("verdict").getAsString()).isEqualTo("SLOWER");
        assertThat(row.get("ratio").getAsDouble()).isEqualTo(1.2);
    }

    @Test
    void tableHasALineForEachBenchmark() {
        assertThat(runs().table(List.of(SLOWER, SLOWER)).lines())
                .hasSize(3)
                .element(1)
                .asString()
                .contains("Some.benchmark", "100", "120", "1.200", "SLOWER");
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> runs("--round", "5")).hasMessageContaining("--round");
        assertThatThrownBy(() -> runs("--rounds", "21")).hasMessageContaining("1..20");
        assertThatThrownBy(() -> runs("--rounds")).hasMessageContaining("--rounds");
        assertThatThrownBy(() -> CommitRuns.of(List.of("old"))).isInstanceOf(IllegalArgumentException.class);
    }
}
