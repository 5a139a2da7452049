// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** What may stand as the object of a statement: an IRI or a literal. */
public sealed interface Term permits Iri, Literal {

    /** The term as N-Triples writes it: {@code <iri>}, {@code "text"@en}, {@code "2.0"^^<datatype>}. */
    String ntriples();
}
