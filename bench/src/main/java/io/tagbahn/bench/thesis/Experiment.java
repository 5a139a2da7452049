// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

/** What is timed. */
public enum Experiment {
    /** All names, each by a call of its own, in parallel. */
    REGISTER_SINGLE("T2", "single"),
    /** All tags of one instance, thirty a call: the first call, then the others in parallel. */
    REGISTER_BATCHES("T2", "batch30"),
    /** All tags of one instance in one call. */
    REGISTER_AT_ONCE("T2", "multi"),
    /** A hundred names, each by a {@code discover} of its own, in parallel. */
    DISCOVER_SINGLE("T3", "single"),
    /** The same hundred names in one {@code tagDiscover}. */
    DISCOVER_AT_ONCE("T3", "multi"),
    /** All entries, by {@code serviceNames}. */
    LIST("T4", "multi");

    private final String table;
    private final String mode;

    Experiment(String table, String mode) {
        this.table = table;
        this.mode = mode;
    }

    /** The thesis's table that it is in. */
    public String table() {
        return table;
    }

    public String mode() {
        return mode;
    }
}
