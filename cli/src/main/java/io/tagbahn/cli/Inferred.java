// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.cli.Discovery.Found;
import io.tagbahn.client.SemanticAnswer;
import io.tagbahn.client.SemanticIndex;
import io.tagbahn.model.Match;
import io.tagbahn.semantics.MatchQuery;
import java.util.ArrayList;
import java.util.List;

/** Discovery by meaning, inferred in the client library. */
final class Inferred {

    private Inferred() {}

    static Discovery of(SemanticIndex index, MatchQuery query) {
        SemanticAnswer answer = index.discover(query);
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
