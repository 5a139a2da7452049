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

    @Override
    public String toString() {
        return spelling();
    }
}
