// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Optional;

/** What a semantic query asks for: a concept, or a statement whose terms may be left open. */
public sealed interface TagPattern permits TagPattern.Concept, TagPattern.Shape {

    /** All tags that advertise a concept: the IRI itself, or a statement {@code S a C}. */
    record Concept(Iri concept) implements TagPattern {

        @Override
        public String spelling() {
            return concept.spelling();
        }
    }

    /** All statements of a shape; an absent term is {@code *} and stands for any. At least one is present. */
    record Shape(Optional<Iri> subject, Optional<Iri> predicate, Optional<Term> object) implements TagPattern {

        /** @throws InvalidArgument with field {@code pattern} where all terms are open */
        public Shape {
            if (subject.isEmpty() && predicate.isEmpty() && object.isEmpty()) {
                throw new InvalidArgument("pattern", "* * * asks for everything: ask serviceNames for that");
            }
        }

        @Override
        public String spelling() {
            return subject.map(Iri::ntriples).orElse("*")
                    + " "
                    + predicate.map(Iri::ntriples).orElse("*")
                    + " "
                    + object.map(Term::ntriples).orElse("*");
        }
    }

    /** The one form of the pattern; {@link #parse} makes an equal pattern of it. */
    String spelling();

    /**
     * The pattern that a text stands for: a concept IRI, bare or in brackets, or a statement whose terms may be
     * {@code *}. {@code * a C} is the concept C.
     *
     * @throws InvalidArgument with field {@code pattern}
     */
    static TagPattern parse(String text) {
        return TagText.pattern(text);
    }
}
