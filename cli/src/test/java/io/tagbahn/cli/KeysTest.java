// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.cli.TestingRun.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeysTest {

    @TempDir
    private Path folder;

    private Path keys = Path.of("");

    @BeforeEach
    void place() {
        keys = folder.resolve("keys");
    }

    private Outcome keys(String action, String... more) {
        String[] line = new String[3 + more.length];
        line[0] = "keys";
        line[1] = action;
        line[2] = keys.toString();
        System.arraycopy(more, 0, line, 3, more.length);
        return TestingRun.of(line);
    }

    @Test
    void madeOnceThenChangedInThreeStepsThatSayWhatToDo() {
        Outcome made = keys("init", "--node", "a");
        assertThat(made.exitCode()).as(made.err()).isZero();
        assertThat(made.out()).isEqualTo(keys.resolve("nodes").resolve("a") + "\n");
        Outcome again = keys("init");
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).contains("holds keys").contains("keys rotate");
        for (String step : new String[] {"step 1 of 3", "step 2 of 3", "step 3 of 3", "step 1 of 3"}) {
            Outcome rotated = keys("rotate");
            assertThat(rotated.exitCode()).as(rotated.err()).isZero();
            assertThat(rotated.out()).isEqualTo(made.out());
            assertThat(rotated.err()).contains(step);
        }
        assertThat(keys("add", "--node", "b").out())
                .isEqualTo(keys.resolve("nodes").resolve("b") + "\n");
        Outcome serving = TestingRun.of(
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--id",
                "c",
                "--keys",
                keys.resolve("nodes").resolve("a").toString());
        assertThat(serving.exitCode()).isEqualTo(2);
        assertThat(serving.err()).contains("cluster.keys-dir").contains("is for node a");
    }

    @Test
    void keysThatAreNotThereAreNotChanged() {
        Outcome rotated = keys("rotate");
        assertThat(rotated.exitCode()).isEqualTo(2);
        assertThat(rotated.err()).contains("holds no keys").contains("keys init");
        assertThat(keys("add", "--node", "a").exitCode()).isEqualTo(2);
    }

    @Test
    void wrongUsageIsRefusedBeforeAnythingIsMade() {
        assertThat(keys("init", "--node", "not an id").exitCode()).isEqualTo(2);
        assertThat(keys("init", "--cluster", "x".repeat(65)).exitCode()).isEqualTo(2);
        assertThat(keys("rotate", "--cluster", "x").exitCode()).isEqualTo(2);
        assertThat(keys("destroy").err()).contains("init, add, rotate");
        assertThat(keys).doesNotExist();
    }
}
