// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Tag;

/** A tag that was typed. */
final class TagArgument {

    private TagArgument() {}

    /** @throws InvalidArgument showing the text */
    static Tag parse(String text, Terms terms) {
        try {
            return Tag.parse(terms.tag(text));
        } catch (InvalidArgument e) {
            throw e.at("tag '" + text + "'");
        }
    }
}
