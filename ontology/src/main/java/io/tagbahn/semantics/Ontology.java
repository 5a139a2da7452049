// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.vocabulary.OWL;
import org.apache.jena.vocabulary.RDF;
import org.apache.jena.vocabulary.RDFS;

/** A document that was read: what it says, under the IRI where it was put. Never changes. */
public final class Ontology {

    private static final Set<Node> CONCEPT_TYPES =
            Set.of(OWL.Class.asNode(), RDFS.Class.asNode(), Vocabulary.node(Vocabulary.SKOS + "Concept"));
    private static final Set<Node> PROPERTY_TYPES = Set.of(
            RDF.Property.asNode(),
            OWL.ObjectProperty.asNode(),
            OWL.DatatypeProperty.asNode(),
            OWL.AnnotationProperty.asNode(),
            OWL.SymmetricProperty.asNode(),
            OWL.TransitiveProperty.asNode(),
            OWL.FunctionalProperty.asNode(),
            OWL.InverseFunctionalProperty.asNode());

    private final Iri iri;
    private final String contentHash;
    private final Graph graph;
    private final int concepts;
    private final int properties;
    private final List<String> imports;
    private final List<String> warnings;

    Ontology(Iri iri, String contentHash, Graph graph, List<String> parserWarnings) {
        this.iri = iri;
        this.contentHash = contentHash;
        this.graph = graph;
        Set<Node> conceptNodes = new HashSet<>();
        Set<Node> propertyNodes = new HashSet<>();
        for (Triple triple : triples(Node.ANY, RDF.type.asNode())) {
            if (triple.getSubject().isURI() && CONCEPT_TYPES.contains(triple.getObject())) {
                conceptNodes.add(triple.getSubject());
            }
            if (triple.getSubject().isURI() && PROPERTY_TYPES.contains(triple.getObject())) {
                propertyNodes.add(triple.getSubject());
            }
        }
        this.concepts = conceptNodes.size();
        this.properties = propertyNodes.size();
        this.imports = triples(Node.ANY, OWL.imports.asNode()).stream()
                .map(triple -> triple.getObject().toString())
                .distinct()
                .sorted()
                .toList();
        List<String> all = new ArrayList<>(parserWarnings);
        for (String imported : imports) {
            all.add("imports <" + imported
                    + ">, which is not followed: put it under that IRI as a document of its own");
        }
        this.warnings = List.copyOf(all);
    }

    /** The IRI under which the document is put, and its base. */
    public Iri iri() {
        return iri;
    }

    /** SHA-256 of the document's bytes, in hex. */
    public String contentHash() {
        return contentHash;
    }

    public int triples() {
        return graph.size();
    }

    /** Classes and SKOS concepts that the document declares. */
    public int concepts() {
        return concepts;
    }

    /** Properties that the document declares. */
    public int properties() {
        return properties;
    }

    /** What the document imports; none of it was fetched. */
    public List<String> imports() {
        return imports;
    }

    /** For people: what is odd about the document. */
    public List<String> warnings() {
        return warnings;
    }

    Graph graph() {
        return graph;
    }

    List<Triple> triples(Node subject, Node predicate) {
        return graph.find(subject, predicate, Node.ANY).toList();
    }
}
