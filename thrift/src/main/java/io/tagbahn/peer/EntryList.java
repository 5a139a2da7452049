// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * Entries of a node in the order of their UTF-8 bytes.
 *
 * @param more whether there are more behind the last one
 */
public record EntryList(NodeView node, List<String> entries, boolean more) {

    public EntryList {
        entries = List.copyOf(entries);
    }
}
