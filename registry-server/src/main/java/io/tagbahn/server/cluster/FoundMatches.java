// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.Match;
import io.tagbahn.server.store.Peer;
import java.util.List;
import java.util.Set;

/**
 * What the cluster has found by meaning.
 *
 * @param found best first, at most as many as were asked for
 * @param ontologyVersion the set of ontologies that answered
 * @param degraded whether it may be incomplete, or put together from answers of different sets
 * @param diagnostics for people
 * @param by the nodes whose answers these are
 */
public record FoundMatches(
        List<Found> found, String ontologyVersion, boolean degraded, List<String> diagnostics, Set<String> by) {

    /** A tag and those who carry it, of whom there is at least one. */
    public record Found(Match match, List<Peer> peers) {}
}
