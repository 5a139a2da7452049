// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.List;
import java.util.Map;

/** The axioms of a closure as graphs over its nodes. */
final class Edges {

    private final List<Axiom> axioms;
    private final Map<String, Integer> nodes;

    Edges(List<Axiom> axioms, Map<String, Integer> nodes) {
        this.axioms = axioms;
        this.nodes = nodes;
    }

    boolean hasSwaps() {
        return axioms.stream().anyMatch(axiom -> axiom.kind().effect() == AxiomKind.Effect.SWAPPED);
    }

    /** From each node to those that are broader. */
    IntGraph broader() {
        EdgeList list = new EdgeList(nodes.size());
        for (int i = 0; i < axioms.size(); i++) {
            int subject = subject(i);
            int object = object(i);
            switch (axioms.get(i).kind().effect()) {
                case BELOW -> list.add(subject, object, i);
                case ABOVE -> list.add(object, subject, i);
                case EQUAL -> {
                    list.add(subject, object, i);
                    list.add(object, subject, i);
                }
                case SWAPPED, INSTANCE -> {
                    // Not between terms as such.
                }
            }
        }
        return list.graph();
    }

    /** The same over nodes that exist forward (even) and swapped (odd). */
    IntGraph broaderOfPredicates() {
        EdgeList list = new EdgeList(nodes.size() * 2);
        for (int i = 0; i < axioms.size(); i++) {
            int subject = subject(i) * 2;
            int object = object(i) * 2;
            for (int swapped = 0; swapped < 2; swapped++) {
                int s = subject + swapped;
                int o = object + swapped;
                switch (axioms.get(i).kind()) {
                    case INVERSE_OF -> list.addBoth(s, object + 1 - swapped, i);
                    case SYMMETRIC -> list.add(s, subject + 1 - swapped, i);
                    default -> {
                        switch (axioms.get(i).kind().effect()) {
                            case BELOW -> list.add(s, o, i);
                            case ABOVE -> list.add(o, s, i);
                            case EQUAL -> list.addBoth(s, o, i);
                            case SWAPPED, INSTANCE -> {
                                // Predicates are not matched by their types.
                            }
                        }
                    }
                }
            }
        }
        return list.graph();
    }

    /** From each node to what it is an instance of. */
    IntGraph types() {
        EdgeList list = new EdgeList(nodes.size());
        for (int i = 0; i < axioms.size(); i++) {
            if (axioms.get(i).kind() == AxiomKind.TYPE) {
                list.add(subject(i), object(i), i);
            }
        }
        return list.graph();
    }

    IntGraph noTypes(int nodesPerTerm) {
        return new EdgeList(nodes.size() * nodesPerTerm).graph();
    }

    private int subject(int axiom) {
        return node(axioms.get(axiom).subject());
    }

    private int object(int axiom) {
        return node(axioms.get(axiom).object());
    }

    private int node(String name) {
        Integer node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no node for " + name);
        }
        return node;
    }
}
