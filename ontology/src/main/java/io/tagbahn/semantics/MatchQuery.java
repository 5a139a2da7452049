// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.TagPattern;

/**
 * A question to a {@link TagIndex}.
 *
 * @param subjects for a concept: whether statements whose subject matches are found as well
 * @param explain whether matches carry the axioms that led to them
 * @param limit most matches to return, best first
 */
public record MatchQuery(TagPattern pattern, MatchMode mode, boolean subjects, boolean explain, int limit) {

    public static final int LIMIT_DEFAULT = 10_000;
    public static final int LIMIT_MAX = 100_000;

    /** @throws InvalidArgument with field {@code limit} */
    public MatchQuery {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new InvalidArgument("limit", limit + " is not within 1.." + LIMIT_MAX);
        }
    }

    /** What the pattern asks for or a kind of it, without explanations. */
    public static MatchQuery of(TagPattern pattern) {
        return new MatchQuery(pattern, MatchMode.SPECIALISE, false, false, LIMIT_DEFAULT);
    }

    public MatchQuery inMode(MatchMode other) {
        return new MatchQuery(pattern, other, subjects, explain, limit);
    }

    public MatchQuery withSubjects() {
        return new MatchQuery(pattern, mode, true, explain, limit);
    }

    public MatchQuery explained() {
        return new MatchQuery(pattern, mode, subjects, true, limit);
    }

    public MatchQuery limitedTo(int most) {
        return new MatchQuery(pattern, mode, subjects, explain, most);
    }
}
