// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tagbahn completion}. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash and zsh.",
        footer = {"", "Example:", "  source <(tagbahn completion)"})
final class CompletionCommand implements Callable<Integer> {

    private final Environment environment;
    private final Supplier<CommandLine> grammar;

    CompletionCommand(Environment environment, Supplier<CommandLine> grammar) {
        this.environment = environment;
        this.grammar = grammar;
    }

    @Override
    public Integer call() {
        environment.out().line(AutoComplete.bash("tagbahn", grammar.get()));
        return ExitCode.DONE;
    }
}
