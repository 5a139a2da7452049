// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.util.List;

/** One way in which things go wrong, and what is to be seen then. */
interface Scenario {

    String name();

    /** Whether it is short enough to be part of a quick run of all. */
    default boolean isShort() {
        return true;
    }

    /** Runs it on clusters of its own. */
    List<Finding> run(ChaosRun run);
}
