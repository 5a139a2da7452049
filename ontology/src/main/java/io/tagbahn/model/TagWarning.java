// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.ArrayList;
import java.util.List;

/** Something suspicious about a tag that was registered all the same. */
public record TagWarning(String tag, String message) {

    /** What is suspicious about a tag by itself: IRIs that are legal but not in normal form (RFC 3987, 5.3). */
    public static List<TagWarning> allOf(Tag tag) {
        List<TagWarning> warnings = new ArrayList<>();
        if (tag instanceof Iri iri) {
            check(tag, iri, warnings);
        } else if (tag instanceof Statement statement) {
            check(tag, statement.subject(), warnings);
            check(tag, statement.predicate(), warnings);
            if (statement.object() instanceof Iri object) {
                check(tag, object, warnings);
            }
        }
        return List.copyOf(warnings);
    }

    private static void check(Tag tag, Iri iri, List<TagWarning> warnings) {
        for (String deviation : NormalForm.deviations(iri.value())) {
            warnings.add(new TagWarning(
                    tag.spelling(),
                    iri + " is not in normal form: " + deviation + "; IRIs compare character by character"));
        }
    }
}
