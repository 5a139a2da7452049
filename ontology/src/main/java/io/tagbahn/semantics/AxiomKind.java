// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

/** The kinds of axiom that are used for matching; no other is, domain and range least of all. */
enum AxiomKind {
    SUB_CLASS_OF(Vocabulary.RDFS + "subClassOf", Effect.BELOW),
    SUB_PROPERTY_OF(Vocabulary.RDFS + "subPropertyOf", Effect.BELOW),
    EQUIVALENT_CLASS(Vocabulary.OWL + "equivalentClass", Effect.EQUAL),
    EQUIVALENT_PROPERTY(Vocabulary.OWL + "equivalentProperty", Effect.EQUAL),
    SAME_AS(Vocabulary.OWL + "sameAs", Effect.EQUAL),
    /** The object is one part of the list. */
    INTERSECTION_OF(Vocabulary.OWL + "intersectionOf", Effect.BELOW),
    /** The object is one part of the list. */
    UNION_OF(Vocabulary.OWL + "unionOf", Effect.ABOVE),
    INVERSE_OF(Vocabulary.OWL + "inverseOf", Effect.SWAPPED),
    /** The object is owl:SymmetricProperty. */
    SYMMETRIC(Vocabulary.RDF + "type", Effect.SWAPPED),
    TYPE(Vocabulary.RDF + "type", Effect.INSTANCE),
    BROADER(Vocabulary.SKOS + "broader", Effect.BELOW),
    BROAD_MATCH(Vocabulary.SKOS + "broadMatch", Effect.BELOW),
    NARROWER(Vocabulary.SKOS + "narrower", Effect.ABOVE),
    NARROW_MATCH(Vocabulary.SKOS + "narrowMatch", Effect.ABOVE),
    EXACT_MATCH(Vocabulary.SKOS + "exactMatch", Effect.EQUAL);

    /** What the subject of an axiom is to its object. */
    enum Effect {
        /** Narrower. */
        BELOW,
        /** Broader. */
        ABOVE,
        EQUAL,
        /** Equal, once subject and object of a statement have changed places. */
        SWAPPED,
        /** An instance: narrower as an advertised term, and only by itself. */
        INSTANCE
    }

    private final String predicate;
    private final Effect effect;

    AxiomKind(String predicate, Effect effect) {
        this.predicate = predicate;
        this.effect = effect;
    }

    String predicate() {
        return predicate;
    }

    Effect effect() {
        return effect;
    }
}
