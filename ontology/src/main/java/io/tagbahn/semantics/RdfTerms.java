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

    /** Of an IRI that is too long, so much is told. */
    private static final int TOLD_CHARS = 100;

    private final long iriCharsMax;
    private final Map<String, Node> checked = new HashMap<>();
    private final Map<String, Node> blanks = new HashMap<>();
    private int blankCount;
    private long iriChars;
    private @Nullable BadIri refused;

    /** @param iriCharsMax characters of all IRIs together */
    RdfTerms(long iriCharsMax) {
        this.iriCharsMax = iriCharsMax;
    }

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
        checkLength(iri);
        try {
            new Iri(iri);
        } catch (InvalidArgument e) {
            throw refuse(iri, e);
        }
        Node node = NodeFactory.createURI(iri);
        if (checked.size() < CHECKED_MAX) {
            checked.put(iri, node);
        }
        return node;
    }

    private void checkLength(String iri) {
        iriChars += iri.length();
        if (iri.length() > OntologyLimits.IRI_CHARS_MAX) {
            throw refuse(
                    iri.substring(0, TOLD_CHARS),
                    new InvalidArgument(
                            "iri",
                            "begins an IRI of " + iri.length() + " characters; " + OntologyLimits.IRI_CHARS_MAX
                                    + " are the most"));
        }
        if (iriChars > iriCharsMax) {
            throw refuse(
                    iri,
                    new InvalidArgument(
                            "iri",
                            "is one too many: written out, the IRIs of the document have more than " + iriCharsMax
                                    + " characters together, which is the most for one of its length"));
        }
    }

    private InvalidArgument refuse(String iri, InvalidArgument why) {
        if (refused == null) {
            refused = new BadIri(iri, why.reason());
        }
        return why;
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
