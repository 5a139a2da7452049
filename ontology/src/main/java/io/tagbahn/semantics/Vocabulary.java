// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;

/** The vocabularies whose terms nobody may redefine, and those whose axioms are used. */
final class Vocabulary {

    static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    static final String RDFS = "http://www.w3.org/2000/01/rdf-schema#";
    static final String OWL = "http://www.w3.org/2002/07/owl#";
    static final String XSD = "http://www.w3.org/2001/XMLSchema#";
    static final String SKOS = "http://www.w3.org/2004/02/skos/core#";

    private Vocabulary() {}

    static boolean isReserved(String iri) {
        return iri.startsWith("http://www.w3.org/")
                && (iri.startsWith(RDF) || iri.startsWith(RDFS) || iri.startsWith(OWL) || iri.startsWith(XSD));
    }

    static Node node(String iri) {
        return NodeFactory.createURI(iri);
    }
}
