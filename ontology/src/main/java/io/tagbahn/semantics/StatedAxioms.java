// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.vocabulary.OWL;
import org.apache.jena.vocabulary.RDF;
import org.apache.jena.vocabulary.RDFS;

/**
 * What a document states that matters for matching and for telling what is odd: a small part of its triples.
 *
 * @param axioms of the kinds that are used, in no order
 * @param subjects IRIs of which the document says something
 * @param domains of properties: IRIs of classes
 * @param ranges of properties: IRIs of classes and datatypes
 * @param disjoint pairs of classes that have nothing in common, the lesser IRI first
 */
record StatedAxioms(
        List<Axiom> axioms,
        Set<String> subjects,
        Map<String, Set<String>> domains,
        Map<String, Set<String>> ranges,
        Map<String, Set<String>> disjoint) {

    private static final String SYMMETRIC_PROPERTY = Vocabulary.OWL + "SymmetricProperty";

    StatedAxioms {
        axioms = List.copyOf(axioms);
        subjects = Set.copyOf(subjects);
    }

    static StatedAxioms of(Graph graph) {
        Set<Axiom> axioms = new LinkedHashSet<>();
        for (AxiomKind kind : AxiomKind.values()) {
            if (kind != AxiomKind.SYMMETRIC) {
                read(graph, kind, axioms);
            }
        }
        Map<String, String> iris = new HashMap<>();
        graph.find().forEach(triple -> {
            if (triple.getSubject().isURI()) {
                iris.putIfAbsent(
                        triple.getSubject().getURI(), triple.getSubject().getURI());
            }
        });
        Map<String, Set<String>> disjoint = new TreeMap<>();
        pairs(graph, OWL.disjointWith.asNode())
                .forEach((one, others) -> others.forEach(other -> {
                    boolean inOrder = one.compareTo(other) < 0;
                    disjoint.computeIfAbsent(inOrder ? one : other, fresh -> new TreeSet<>())
                            .add(inOrder ? other : one);
                }));
        return new StatedAxioms(
                List.copyOf(axioms),
                iris.keySet(),
                pairs(graph, RDFS.domain.asNode()),
                pairs(graph, RDFS.range.asNode()),
                disjoint);
    }

    private static void read(Graph graph, AxiomKind kind, Set<Axiom> axioms) {
        graph.find(Node.ANY, Vocabulary.node(kind.predicate()), Node.ANY).forEach(triple -> {
            if (kind == AxiomKind.INTERSECTION_OF || kind == AxiomKind.UNION_OF) {
                for (Node part : parts(graph, triple.getObject())) {
                    take(kind, triple.getSubject(), part, axioms);
                }
            } else {
                take(kind, triple.getSubject(), triple.getObject(), axioms);
            }
        });
    }

    private static void take(AxiomKind kind, Node subject, Node object, Set<Axiom> axioms) {
        if (subject.isLiteral() || object.isLiteral()) {
            return;
        }
        String from = name(subject);
        String to = name(object);
        if (!from.equals(to) || kind == AxiomKind.INVERSE_OF) {
            axioms.add(new Axiom(kind, from, to));
        }
        if (kind == AxiomKind.TYPE && to.equals(SYMMETRIC_PROPERTY)) {
            axioms.add(new Axiom(AxiomKind.SYMMETRIC, from, to));
        }
    }

    private static String name(Node node) {
        return node.isBlank() ? "_:" + node.getBlankNodeLabel() : node.getURI();
    }

    /** The members of an RDF list, however it is linked: also one with cycles or with two tails ends. */
    private static Set<Node> parts(Graph graph, Node list) {
        Set<Node> parts = new HashSet<>();
        Set<Node> seen = new HashSet<>();
        Deque<Node> pending = new ArrayDeque<>();
        pending.add(list);
        while (!pending.isEmpty()) {
            Node cell = pending.remove();
            if (cell.isLiteral() || !seen.add(cell)) {
                continue;
            }
            objects(graph, cell, RDF.first.asNode()).forEach(parts::add);
            pending.addAll(objects(graph, cell, RDF.rest.asNode()));
        }
        return parts;
    }

    private static List<Node> objects(Graph graph, Node subject, Node predicate) {
        List<Node> objects = new ArrayList<>();
        graph.find(subject, predicate, Node.ANY).forEach(triple -> objects.add(triple.getObject()));
        return objects;
    }

    /** The pairs of IRIs between which a predicate stands. */
    private static Map<String, Set<String>> pairs(Graph graph, Node predicate) {
        Map<String, Set<String>> pairs = new TreeMap<>();
        for (Triple triple : graph.find(Node.ANY, predicate, Node.ANY).toList()) {
            if (triple.getSubject().isURI() && triple.getObject().isURI()) {
                pairs.computeIfAbsent(triple.getSubject().getURI(), fresh -> new TreeSet<>())
                        .add(triple.getObject().getURI());
            }
        }
        return pairs;
    }
}
