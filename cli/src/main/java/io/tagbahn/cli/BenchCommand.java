// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tagbahn bench}: the measurements. */
@Command(
        name = "bench",
        description = "Measures: each command runs what it measures by itself, on this machine.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example:", "  tagbahn bench thesis --quick"})
final class BenchCommand {

    private final Environment environment;

    BenchCommand(Environment environment) {
        this.environment = environment;
    }

    CommandLine grammar() {
        return new CommandLine(this)
                .addSubcommand(new BenchThesisCommand(environment))
                .addSubcommand(new BenchLoadCommand(environment))
                .addSubcommand(new BenchScaleCommand(environment))
                .addSubcommand(new BenchOverloadCommand(environment))
                .addSubcommand(new BenchChaosCommand(environment))
                .addSubcommand(new BenchResilienceCommand(environment))
                .addSubcommand(new BenchAffinityCommand(environment))
                .addSubcommand(new BenchChainCommand(environment));
    }
}
