// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What a document would change for the tags that are registered.
 *
 * @param tagsGaining tags whose set of matching concepts grows
 * @param tagsLosing tags whose set of matching concepts shrinks; one that does both counts in both
 * @param examples a few of them, in words
 */
public record OntologyEffect(int tagsGaining, int tagsLosing, List<String> examples) {

    /** Most examples that are given. */
    public static final int EXAMPLES_MAX = 10;

    /** No change. */
    public static final OntologyEffect NONE = new OntologyEffect(0, 0, List.of());

    public OntologyEffect {
        examples = List.copyOf(examples);
    }

    /** This and what is changed for other tags. */
    public OntologyEffect plus(OntologyEffect other) {
        List<String> both = new ArrayList<>(examples);
        for (String example : other.examples) {
            if (both.size() < EXAMPLES_MAX) {
                both.add(example);
            }
        }
        return new OntologyEffect(tagsGaining + other.tagsGaining, tagsLosing + other.tagsLosing, both);
    }
}
