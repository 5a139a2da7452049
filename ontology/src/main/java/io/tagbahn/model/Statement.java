// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/**
 * A subject, a predicate and an object, advertised as a pattern and never asserted: whoever asks for such a thing finds
 * the instance.
 *
 * <p>{@code S a C} advertises the concept C ("C, as a kind of S").
 */
public record Statement(Iri subject, Iri predicate, Term object) implements Tag {

    /** What {@code a} stands for as a predicate. */
    public static final Iri RDF_TYPE = new Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type");

    @Override
    public String spelling() {
        return "<" + subject.value() + "> <" + predicate.value() + "> " + object.ntriples();
    }

    /** A number of characters that the spelling does not exceed, without making it. */
    int spellingCharsMax() {
        int ofObject = object instanceof Iri iri ? iri.value().length() : ((Literal) object).ntriplesCharsMax();
        return subject.value().length() + predicate.value().length() + ofObject + 8;
    }

    @Override
    public String toString() {
        return spelling();
    }
}
