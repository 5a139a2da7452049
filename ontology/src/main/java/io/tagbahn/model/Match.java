// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Comparator;
import java.util.List;

/**
 * A registered tag that answers a semantic query, and why.
 *
 * @param tag in canonical spelling
 * @param distance fewest axiom steps between what was asked and the tag; equivalences count 0
 * @param explanation the axioms on that path, one an entry, in N-Triples terms, from what was asked to the tag; empty
 *     where the terms are identical, and where no explanation was asked for
 */
public record Match(String tag, Degree degree, int distance, List<String> explanation) {

    /** Best first: by degree, then distance, then tag (in the order of code points, which is that of UTF-8 bytes). */
    public static final Comparator<Match> BEST_FIRST = Comparator.comparing(Match::degree)
            .thenComparingInt(Match::distance)
            .thenComparing(Match::tag, Text.CODE_POINT_ORDER);

    public Match {
        if (distance < 0) {
            throw new IllegalArgumentException("distance " + distance + " < 0");
        }
        explanation = List.copyOf(explanation);
    }
}
