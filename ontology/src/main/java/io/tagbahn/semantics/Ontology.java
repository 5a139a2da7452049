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
import org.jspecify.annotations.Nullable;

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
    private final @Nullable Graph graph;
    private final int triples;
    private final StatedAxioms stated;
    private final int concepts;
    private final int properties;
    private final List<String> imports;
    private final List<String> names;
    private final List<String> warnings;

    Ontology(Iri iri, String contentHash, Graph graph, List<String> parserWarnings) {
        this.iri = iri;
        this.contentHash = contentHash;
        this.graph = graph;
        this.triples = graph.size();
        this.stated = StatedAxioms.of(graph);
        Set<Node> conceptNodes = new HashSet<>();
        Set<Node> propertyNodes = new HashSet<>();
        for (Triple triple : triples(graph, RDF.type.asNode())) {
            if (triple.getSubject().isURI() && CONCEPT_TYPES.contains(triple.getObject())) {
                conceptNodes.add(triple.getSubject());
            }
            if (triple.getSubject().isURI() && PROPERTY_TYPES.contains(triple.getObject())) {
                propertyNodes.add(triple.getSubject());
            }
        }
        this.concepts = conceptNodes.size();
        this.properties = propertyNodes.size();
        this.imports = triples(graph, OWL.imports.asNode()).stream()
                .map(triple -> triple.getObject().toString())
                .distinct()
                .sorted()
                .toList();
        this.names = graph.find(Node.ANY, RDF.type.asNode(), OWL.Ontology.asNode())
                .mapWith(Triple::getSubject)
                .filterKeep(Node::isURI)
                .mapWith(Node::getURI)
                .toList();
        List<String> all = new ArrayList<>(parserWarnings);
        for (String imported : imports) {
            all.add("imports <" + imported
                    + ">, which is not followed: put it under that IRI as a document of its own");
        }
        this.warnings = List.copyOf(all);
    }

    private Ontology(Ontology of) {
        this.iri = of.iri;
        this.contentHash = of.contentHash;
        this.graph = null;
        this.triples = of.triples;
        this.stated = of.stated;
        this.concepts = of.concepts;
        this.properties = of.properties;
        this.imports = of.imports;
        this.names = of.names;
        this.warnings = of.warnings;
    }

    /** The same without its triples: what a closure needs of it, in a fraction of the memory. */
    public Ontology condensed() {
        return new Ontology(this);
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
        return triples;
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

    /** What the document calls itself: the IRIs that it declares as ontologies. */
    public List<String> names() {
        return names;
    }

    /** For people: what is odd about the document. */
    public List<String> warnings() {
        return warnings;
    }

    StatedAxioms stated() {
        return stated;
    }

    /** All triples; not kept of a condensed document. */
    Graph graph() {
        if (graph == null) {
            throw new IllegalStateException("the triples of " + iri + " are not kept");
        }
        return graph;
    }

    private static List<Triple> triples(Graph graph, Node predicate) {
        return graph.find(Node.ANY, predicate, Node.ANY).toList();
    }
}
