// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * The documents that a node knows, the removed ones among them.
 *
 * @param digest of all heads; equal where these are
 * @param heads all of them; empty where the asker named the same digest
 */
public record OntologyHeads(NodeView node, String digest, List<OntologyHead> heads) {

    public OntologyHeads {
        heads = List.copyOf(heads);
    }
}
