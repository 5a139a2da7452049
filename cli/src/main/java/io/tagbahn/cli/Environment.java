// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a command has around it.
 *
 * @param in standard input
 * @param out standard output: what was asked for, nothing else
 * @param err standard error: progress, warnings, errors
 * @param variables of the process
 * @param nanos a clock that only ever goes forward
 * @param stop raised when the command is to end
 */
record Environment(
        InputStream in,
        Output out,
        PrintStream err,
        Map<String, String> variables,
        LongSupplier nanos,
        StopSignal stop) {

    /** The variable, where it is set and not empty. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /** Tells people what is going on, besides the answer. */
    void say(String message) {
        err.println("tagbahn: " + message);
    }
}
