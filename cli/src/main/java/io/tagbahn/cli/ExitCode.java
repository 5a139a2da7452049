// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

/** The exit codes of every command. */
final class ExitCode {

    static final int DONE = 0;
    /** The question was answered: there is nothing. */
    static final int NOTHING_FOUND = 1;
    /** Wrong usage, or input that was refused. */
    static final int USAGE = 2;
    /** The registry is not reachable or not ready, or something outside the command failed. */
    static final int UNAVAILABLE = 3;

    private ExitCode() {}
}
