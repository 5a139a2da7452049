// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.cli.Discovery.Found;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.SemanticAnswer;
import io.tagbahn.client.SemanticIndex;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Match;
import io.tagbahn.semantics.MatchQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Discovery by meaning, as the commands tell of it. */
final class Inferred {

    private Inferred() {}

    /** Inferred here. */
    static Discovery of(SemanticIndex index, MatchQuery query) {
        return of(index.discover(query), query);
    }

    /** Inferred by the registry. */
    static Discovery of(RegistryClient client, MatchQuery query, Optional<Locality> near) {
        return of(client.semanticDiscover(query, near), query);
    }

    static Discovery of(SemanticAnswer answer, MatchQuery query) {
        List<Found> found = answer.matches().stream()
                .map(match -> new Found(
                        new Match(match.tag(), match.degree(), match.distance(), match.explanation()),
                        match.instances()))
                .toList();
        List<String> diagnostics = new ArrayList<>(answer.diagnostics());
        if (found.size() == query.limit()) {
            diagnostics.add("more than " + query.limit() + " tags match; the best are listed");
        }
        return new Discovery(found, answer.degraded(), diagnostics);
    }
}
