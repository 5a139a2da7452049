// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/** What a node made of changes, in their order. */
public record Applied(NodeView node, List<Outcome> outcomes) {

    public Applied {
        outcomes = List.copyOf(outcomes);
    }
}
