// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

/**
 * One stated axiom between two names: IRIs, or blank nodes written {@code _:label}.
 *
 * <p>Of a list (intersectionOf, unionOf) each part makes an axiom of its own.
 */
record Axiom(AxiomKind kind, String subject, String object) implements Comparable<Axiom> {

    static boolean isBlank(String name) {
        return name.startsWith("_:");
    }

    /** The same, with blank nodes that are kept apart from those of other documents. */
    Axiom withBlanksOf(String prefix) {
        return isBlank(subject) || isBlank(object)
                ? new Axiom(kind, renamed(subject, prefix), renamed(object, prefix))
                : this;
    }

    private static String renamed(String name, String prefix) {
        return isBlank(name) ? "_:" + prefix + name.substring(2) : name;
    }

    /** The axiom in N-Triples terms. */
    String ntriples() {
        return term(subject) + " <" + kind.predicate() + "> " + term(object);
    }

    /** The terms that the axiom puts under others: whoever controls it decides what is found for those others. */
    boolean narrows(String name) {
        return switch (kind.effect()) {
            case BELOW, INSTANCE -> name.equals(subject);
            case ABOVE -> name.equals(object);
            case EQUAL -> true;
            case SWAPPED -> kind == AxiomKind.INVERSE_OF || name.equals(subject);
        };
    }

    @Override
    public int compareTo(Axiom other) {
        int order = subject.compareTo(other.subject);
        if (order == 0) {
            order = kind.compareTo(other.kind);
        }
        return order == 0 ? object.compareTo(other.object) : order;
    }

    private static String term(String name) {
        return isBlank(name) ? name : "<" + name + ">";
    }
}
