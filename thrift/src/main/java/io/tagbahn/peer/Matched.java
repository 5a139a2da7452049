// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.Match;
import java.util.List;

/**
 * The tags at a node that answer a question.
 *
 * @param <P> the form of an instance that is handed out
 * @param ontologyVersion the set of ontologies of the node; where it is not the one asked for, there is no answer
 * @param found best first
 * @param diagnostics for people
 * @param nearMisses those of the diagnostics that count only where no node found anything
 */
public record Matched<P>(
        NodeView node,
        String ontologyVersion,
        List<Found<P>> found,
        List<String> diagnostics,
        List<String> nearMisses) {

    /**
     * A tag that answers, and who carries it.
     *
     * @param whole whether these are all; false where the node may not have been given all of them yet
     */
    public record Found<P>(Match match, List<P> peers, boolean whole) {}
}
