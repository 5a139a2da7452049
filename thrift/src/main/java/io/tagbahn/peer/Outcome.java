// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * What a node made of a change.
 *
 * @param generation the newest one of the instance that it knows
 * @param removed entries that the record of this node had, and that it lost by the change
 */
public record Outcome(Kind kind, long generation, List<String> removed) {

    public Outcome {
        removed = List.copyOf(removed);
    }

    public Outcome(Kind kind, long generation) {
        this(kind, generation, List.of());
    }

    /** Whether the change holds now. */
    public enum Kind {
        /** It does, or did already. */
        TAKEN,
        /** The node has something newer; nothing was changed. */
        STALE,
        /** The instance was deregistered later; nothing was changed. */
        GONE,
        /** The node can't take it, for want of room; nothing was changed. */
        REFUSED
    }
}
