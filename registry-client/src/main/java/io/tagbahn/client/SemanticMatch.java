// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Degree;
import io.tagbahn.model.Instance;
import java.util.List;

/**
 * A registered tag that answers a query by meaning, why it does, and who carries it.
 *
 * @param tag in canonical spelling
 * @param distance fewest axiom steps between what was asked and the tag; equivalences count 0
 * @param explanation the axioms on that path, one an entry, in N-Triples terms, from what was asked to the tag; empty
 *     where the terms are identical, and where no explanation was asked for
 * @param instances live ones, at least one
 */
public record SemanticMatch(
        String tag, Degree degree, int distance, List<String> explanation, List<Instance> instances) {

    public SemanticMatch {
        explanation = List.copyOf(explanation);
        instances = List.copyOf(instances);
    }
}
