// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * What a node holds under entries.
 *
 * @param <P> the form of an instance that is handed out
 * @param found in the order of the question
 */
public record Looked<P>(NodeView node, List<Found<P>> found) {

    /**
     * What it holds under one entry.
     *
     * @param whole whether that is all there is; false where the node may not have been given all of it yet
     */
    public record Found<P>(List<P> peers, boolean whole) {}
}
