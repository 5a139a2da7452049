// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.List;

/**
 * The change of the entries under which an instance is posted, worked out once for its checks and for itself.
 *
 * @param before entries until now
 * @param added entries that come
 * @param removed entries that go
 * @param size how many entries there will be
 */
record Reposting(List<String> before, List<String> added, List<String> removed, int size) {

    /** Both sorted, each entry once. */
    static Reposting of(List<String> before, List<String> after) {
        // Registering the same again is usual: to find that out takes one look at each text.
        if (before.equals(after)) {
            return new Reposting(before, List.of(), List.of(), before.size());
        }
        return new Reposting(before, EntrySets.minus(after, before), EntrySets.minus(before, after), after.size());
    }

    boolean isNothing() {
        return added.isEmpty() && removed.isEmpty();
    }
}
