// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.semantics.MatchQuery;

/**
 * A question for the tags that a node holds.
 *
 * @param ontologyVersion the set of ontologies that has to answer; empty where any may
 */
public record MatchQuestion(MatchQuery query, String ontologyVersion) {

    /** Whether a set of ontologies may answer. */
    public boolean accepts(String version) {
        return ontologyVersion.isEmpty() || ontologyVersion.equals(version);
    }
}
