// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Comparator;

/**
 * What an instance registers under and is found by: an IRI (a concept or a property), a statement, or a plain name.
 *
 * <p>Tags are equal exactly where their {@linkplain #spelling() spellings} are.
 */
public sealed interface Tag permits Iri, Statement, ServiceName {

    /** Longest tag, in bytes of UTF-8, as it is given and in its canonical spelling. */
    int BYTES_MAX = 8192;

    /** The order of spellings: that of code points, which is that of UTF-8 bytes. */
    Comparator<String> SPELLING_ORDER = Text.CODE_POINT_ORDER;

    /** The one form in which the tag is stored and returned; {@link #parse} makes an equal tag of it. */
    String spelling();

    /**
     * The tag that a text stands for. Text that begins with {@code <} is an IRI in brackets or a statement in N-Triples
     * terms (a final dot and {@code a} for rdf:type are allowed); other text that is an absolute IRI is that IRI;
     * anything else is a name.
     *
     * @throws InvalidArgument with field {@code tag}, where the text is none of these
     */
    static Tag parse(String text) {
        return TagText.tag(text);
    }
}
