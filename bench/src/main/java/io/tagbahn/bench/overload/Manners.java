// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

/** How the callers behave whose calls fail. */
public enum Manners {
    /** They don't call again. */
    QUIET,
    /** They know nothing of the contract: they tell no deadline, and call again at once, three times. */
    NAIVE,
    /**
     * They keep to the contract as the client library does: they tell their deadline, call again when and where they are
     * told, within a budget, and keep back by themselves what would be refused anyway.
     */
    OBEDIENT;

    boolean tellDeadline() {
        return this != NAIVE;
    }
}
