// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

/** A call whose cost is measured. */
public enum ScaleOperation {
    /** An instance with all its tags, in one call; a newer generation of one that is there. */
    REGISTER("register"),
    /** Of one instance. */
    HEARTBEAT("heartbeat"),
    /** Of one tag. */
    DISCOVER_ONE("tagDiscover-one"),
    /** Of all tags of an instance, in one call. */
    DISCOVER_ALL("tagDiscover-all");

    private final String label;

    ScaleOperation(String label) {
        this.label = label;
    }

    /** For tables and plots. */
    public String label() {
        return label;
    }
}
