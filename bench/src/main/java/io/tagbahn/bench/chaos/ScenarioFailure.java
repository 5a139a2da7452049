// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

/** Something did not happen without which a scenario makes no sense, such as the start of a node. */
final class ScenarioFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    ScenarioFailure(String message) {
        super(message);
    }

    ScenarioFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
