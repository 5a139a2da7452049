// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;
import java.util.Optional;

/**
 * What another node should hold.
 *
 * @param next where it goes on, which is behind the last instance that it tells of; absent at the end
 */
public record Copies(NodeView node, List<Change> changes, Optional<Place> next) {

    public Copies {
        changes = List.copyOf(changes);
    }
}
