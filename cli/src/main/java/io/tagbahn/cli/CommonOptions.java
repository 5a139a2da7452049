// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Options that every command takes. */
@Command(versionProvider = Tagbahn.Version.class)
@SuppressWarnings("UnusedVariable") // read by their names, for all commands in one place
final class CommonOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this and exit.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    private boolean version;

    @Option(
            names = {"-v", "--verbose"},
            description = "Log more, on standard error; twice for still more.")
    private boolean[] verbose = {};
}
