// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.bench.chaos.Chaos;
import io.tagbahn.cli.TestingRun.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BenchChaosTest {

    @Test
    void helpNamesAllScenarios() {
        Outcome help = TestingRun.of("bench", "chaos", "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains(Chaos.names().toArray(String[]::new));
    }

    @Test
    void scenarioThatDoesNotExistIsRefusedWithThoseThatDo() {
        Outcome outcome = TestingRun.of("bench", "chaos", "--scenario", "earthquake");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("earthquake", "kill", "partition");
    }

    @Test
    void numbersOutOfTheirRangeAreRefused() {
        for (List<String> args : List.of(List.of("--nodes", "2"), List.of("--trials", "0"), List.of("--nodes", "x"))) {
            Outcome outcome = TestingRun.of("bench", "chaos", args.get(0), args.get(1));
            assertThat(outcome.exitCode()).isEqualTo(2);
            assertThat(outcome.err()).contains(args.get(0));
        }
    }

    @Test
    void benchWithoutACommandIsAUsageError() {
        Outcome outcome = TestingRun.of("bench");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("Usage: tagbahn bench");
    }
}
