// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.cli.TestingRun.Outcome;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

final class GrammarTest {

    static CommandLine grammar() {
        Environment unused = new Environment(
                InputStream.nullInputStream(),
                new Output(OutputStream.nullOutputStream()),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                Map.of(),
                () -> 0,
                new StopSignal());
        return new Tagbahn(unused).commandLine();
    }

    static Stream<String> commands() {
        return grammar().getSubcommands().keySet().stream();
    }

    @Test
    void commandsAreThoseOfTheContract() {
        assertThat(grammar().getSubcommands().keySet())
                .contains(
                        "demo",
                        "serve",
                        "cluster",
                        "bench",
                        "register",
                        "deregister",
                        "set-status",
                        "node",
                        "discover",
                        "names",
                        "members",
                        "owners");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpOfACommandTellsAllItsOptions(String command) {
        Outcome help = TestingRun.of(command, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out()).startsWith("Usage: tagbahn " + command);
        CommandLine grammar = requireNonNull(grammar().getSubcommands().get(command));
        for (OptionSpec option : grammar.getCommandSpec().options()) {
            assertThat(help.out()).contains(option.longestName());
            assertThat(option.description()).as(option.longestName()).isNotEmpty();
        }
        for (ArgSpec parameter : grammar.getCommandSpec().positionalParameters()) {
            assertThat(help.out()).contains(parameter.paramLabel());
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void unknownOptionShowsTheUsageAndExitsWithTwo(String command) {
        Outcome outcome = TestingRun.of(command, "--no-such-option");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("tagbahn: ").contains("Usage: tagbahn " + command);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void versionIsToldByEveryCommand(String command) {
        Outcome outcome = TestingRun.of(command, "--version");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).startsWith("tagbahn ");
    }

    @Test
    void nearMissOfAnOptionIsSuggested() {
        assertThat(TestingRun.of("names", "--limt", "3").err())
                .contains("did you mean")
                .contains("--limit");
    }

    @Test
    void noCommandAndAnUnknownOneAreUsageErrors() {
        assertThat(TestingRun.of().exitCode()).isEqualTo(2);
        Outcome unknown = TestingRun.of("disover");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("disover").contains("Usage: tagbahn");
    }

    @Test
    void helpWithoutACommandListsTheCommands() {
        Outcome help = TestingRun.of("--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains(commands().toArray(String[]::new));
    }

    @Test
    void completionIsAScriptThatKnowsTheOptions() {
        Outcome outcome = TestingRun.of("completion");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).startsWith("#!").contains("--prefix-filter", "complete -F");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void textThatIsNoUtf8IsNotTakenForATag() {
        Outcome outcome = TestingRun.of("owners", "caf\uFFFD");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("not valid UTF-8");
    }

    @Test
    void argumentWithAnAtSignIsNoFile() {
        List<String> args = List.of("owners", "@/etc/hostname", "--registry", "127.0.0.1:1");
        assertThat(TestingRun.of(args.toArray(String[]::new)).err()).doesNotContain("Unmatched");
    }
}
