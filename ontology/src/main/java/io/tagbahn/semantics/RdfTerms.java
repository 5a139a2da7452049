// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import java.util.HashMap;
import java.util.Map;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.riot.system.FactoryRDFStd;
import org.jspecify.annotations.Nullable;

/**
 * What makes nodes of the terms of one document: an IRI that the registry would not take as a tag is none here either,
 * and blank nodes are numbered in the order of the document, so that every reading gives the same names.
 */
final class RdfTerms extends FactoryRDFStd {

    /** Most IRIs that are remembered as checked; beyond it they are checked again. */
    private static final int CHECKED_MAX = 200_000;

    private final Map<String, Node> checked = new HashMap<>();
    private final Map<String, Node> blanks = new HashMap<>();
    private int blankCount;
    private @Nullable BadIri refused;

    /** The first IRI that was refused, which a parser may have turned into an exception of its own. */
    record BadIri(String iri, String reason) {}

    @Nullable
    BadIri refused() {
        return refused;
    }

    @Override
    public Node createURI(String iri) {
        Node known = checked.get(iri);
        if (known != null) {
            return known;
        }
        try {
            new Iri(iri);
        } catch (InvalidArgument e) {
            if (refused == null) {
                refused = new BadIri(iri, e.reason());
            }
            throw e;
        }
        Node node = NodeFactory.createURI(iri);
        if (checked.size() < CHECKED_MAX) {
            checked.put(iri, node);
        }
        return node;
    }

    @Override
    public Node createTypedLiteral(String lexical, RDFDatatype datatype) {
        createURI(datatype.getURI());
        return super.createTypedLiteral(lexical, datatype);
    }

    @Override
    public Node createBlankNode(String label) {
        return blanks.computeIfAbsent(label, ignored -> createBlankNode());
    }

    @Override
    public Node createBlankNode() {
        return NodeFactory.createBlankNode("b" + blankCount++);
    }

    @Override
    public void reset() {
        blanks.clear();
    }
}
