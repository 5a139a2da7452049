// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Optional;

/** What the text of a tag or of a pattern stands for. */
final class TagText {

    private TagText() {}

    static Tag tag(String text) {
        checkSize("tag", text);
        if (text.charAt(0) != '<') {
            return bare(text);
        }
        TermReader reader = new TermReader("tag", text, false);
        Iri first = reader.subject().orElseThrow();
        if (reader.atEnd()) {
            return first;
        }
        Iri predicate = reader.predicate().orElseThrow();
        Statement statement = new Statement(first, predicate, reader.object().orElseThrow());
        reader.end();
        if (statement.spellingCharsMax() > Tag.BYTES_MAX / 3) {
            checkSize("tag", statement.spelling());
        }
        return statement;
    }

    static TagPattern pattern(String text) {
        checkSize("pattern", text);
        if (text.charAt(0) != '<' && text.charAt(0) != '*') {
            String problem = Iri.problem(text);
            if (problem != null) {
                throw new InvalidArgument(
                        "pattern", problem + " (a concept is an absolute IRI, a statement three terms or *)");
            }
            return new TagPattern.Concept(new Iri(text));
        }
        TermReader reader = new TermReader("pattern", text, true);
        Optional<Iri> subject = reader.subject();
        if (reader.atEnd()) {
            return new TagPattern.Concept(subject.orElseThrow(
                    () -> new InvalidArgument("pattern", "* asks for everything: ask serviceNames for that")));
        }
        Optional<Iri> predicate = reader.predicate();
        Optional<Term> object = reader.object();
        reader.end();
        TagPattern pattern = new TagPattern.Shape(subject, predicate, object);
        if (subject.isEmpty()
                && predicate.isPresent()
                && predicate.get().equals(Statement.RDF_TYPE)
                && object.isPresent()
                && object.get() instanceof Iri concept) {
            pattern = new TagPattern.Concept(concept);
        }
        checkSize("pattern", pattern.spelling());
        return pattern;
    }

    private static Tag bare(String text) {
        int colon = Iri.schemeEnd(text);
        if (colon > 0) {
            try {
                // The usual case, and scanned only once.
                return new Iri(text);
            } catch (InvalidArgument e) {
                boolean meantAsIri =
                        text.startsWith("://", colon) || Iri.isHttp(text, colon) || Iri.isExecutable(text, colon);
                if (meantAsIri) {
                    throw e.at("tag");
                }
            }
        }
        try {
            return new ServiceName(text);
        } catch (InvalidServiceName e) {
            throw new InvalidArgument("tag", "is no IRI and no name: " + e.getMessage());
        }
    }

    private static void checkSize(String field, String text) {
        if (text.isEmpty()) {
            throw new InvalidArgument(field, "empty; 1.." + Tag.BYTES_MAX + " bytes of UTF-8 are allowed");
        }
        // A char takes at most three bytes (a pair takes four): short text need not be counted.
        if (text.length() > Tag.BYTES_MAX
                || (text.length() > Tag.BYTES_MAX / 3 && Text.utf8Bytes(text) > Tag.BYTES_MAX)) {
            throw new InvalidArgument(field, "longer than " + Tag.BYTES_MAX + " bytes of UTF-8");
        }
    }
}
