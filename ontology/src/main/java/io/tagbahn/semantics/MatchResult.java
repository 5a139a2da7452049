// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Match;
import java.util.List;

/**
 * The answer of a {@link TagIndex}.
 *
 * @param matches best first, and no more than the limit
 * @param diagnostics for people: unknown terms, near misses
 * @param nearMisses those of the diagnostics that tell what would match in another mode
 */
public record MatchResult(List<Match> matches, List<String> diagnostics, List<String> nearMisses) {

    public MatchResult {
        matches = List.copyOf(matches);
        diagnostics = List.copyOf(diagnostics);
        nearMisses = List.copyOf(nearMisses);
    }
}
