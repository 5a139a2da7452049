// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/**
 * A document that the registry holds.
 *
 * @param iri under which it was put
 * @param contentHash SHA-256 of the document, in hex
 * @param version grows with every put of the IRI
 * @param concepts classes and SKOS concepts that it declares
 * @param properties that it declares
 */
public record OntologyInfo(Iri iri, String contentHash, long version, long triples, int concepts, int properties) {}
