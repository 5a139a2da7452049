// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Freshness;
import java.util.List;

/**
 * What a query by meaning has found.
 *
 * @param matches best first: by degree, then distance, then tag; empty where nothing matches
 * @param ontologyVersion identifies the set of ontologies that answered
 * @param degraded true where the registry said that its answers may be incomplete or stale
 * @param diagnostics for people: unknown terms, near misses
 * @param freshness how old the answer is
 */
public record SemanticAnswer(
        List<SemanticMatch> matches,
        String ontologyVersion,
        boolean degraded,
        List<String> diagnostics,
        Freshness freshness) {

    public SemanticAnswer {
        matches = List.copyOf(matches);
        diagnostics = List.copyOf(diagnostics);
    }

    /** An answer to this very call. */
    public SemanticAnswer(
            List<SemanticMatch> matches, String ontologyVersion, boolean degraded, List<String> diagnostics) {
        this(matches, ontologyVersion, degraded, diagnostics, Freshness.NOW);
    }

    /** The same, handed out later. */
    SemanticAnswer aged(boolean newDegraded, Freshness newFreshness) {
        return new SemanticAnswer(matches, ontologyVersion, newDegraded, diagnostics, newFreshness);
    }
}
