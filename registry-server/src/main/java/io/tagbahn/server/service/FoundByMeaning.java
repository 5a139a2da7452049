// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.Match;
import io.tagbahn.server.store.Peer;
import java.util.List;

/**
 * What a query by meaning has found.
 *
 * @param found best first
 * @param ontologyVersion the set of ontologies that answered
 * @param degraded whether it may be incomplete or stale
 * @param diagnostics for people
 */
public record FoundByMeaning(List<Found> found, String ontologyVersion, boolean degraded, List<String> diagnostics) {

    /** A tag that answers, and who carries it: the nearest first, where a place was named. */
    public record Found(Match match, List<Peer> peers) {}
}
