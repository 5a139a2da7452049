// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * What a node says of itself with every answer.
 *
 * @param ring a hash of the ring as it sees it
 * @param filled whether it holds all that the ring wants of it
 * @param holding whether it holds leases past their end, because too many ended at once
 * @param whole hashes of the rings of which it holds all that they want of it; earlier ones may be among them
 */
public record NodeView(long ring, boolean filled, boolean holding, List<Long> whole) {

    public NodeView {
        whole = List.copyOf(whole);
    }
}
