// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.InstanceId;

/**
 * What a node holds of an instance, or should hold, as numbers.
 *
 * @param hash of everything that it holds
 */
public record Holding(InstanceId id, long generation, Kind kind, long hash) {

    /** What it is that is held. */
    public enum Kind {
        /** Some of the instance's entries. */
        POSTINGS,
        /** The record, and entries. */
        RECORD,
        /** That it was deregistered. */
        TOMBSTONE
    }
}
