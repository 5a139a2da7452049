// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.util.List;

/**
 * What a query by meaning has found.
 *
 * @param matches best first: by degree, then distance, then tag; empty where nothing matches
 * @param ontologyVersion identifies the set of ontologies that answered
 * @param degraded true where the registry said that its answers may be incomplete or stale
 * @param diagnostics for people: unknown terms, near misses
 */
public record SemanticAnswer(
        List<SemanticMatch> matches, String ontologyVersion, boolean degraded, List<String> diagnostics) {

    public SemanticAnswer {
        matches = List.copyOf(matches);
        diagnostics = List.copyOf(diagnostics);
    }
}
