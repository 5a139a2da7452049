// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;
import java.util.Optional;

/**
 * What a home made of a decision.
 *
 * @param generation of the registration or deregistration
 * @param known whether the instance was registered there
 * @param record as it is now; absent after a deregistration
 * @param removed entries that the instance had and has no longer, sorted
 */
public record Decided(
        NodeView node, long generation, boolean known, Optional<Change.RecordCopy> record, List<String> removed) {

    public Decided {
        removed = List.copyOf(removed);
    }
}
