// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import picocli.CommandLine.Option;

/** Whether the answer is for scripts. */
final class JsonOption {

    @Option(names = "--json", description = "Print one JSON document and nothing else on standard output.")
    private boolean json;

    boolean isWanted() {
        return json;
    }
}
