// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import io.tagbahn.model.Literal;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Small ontologies with axioms of every kind, and tags and queries over given terms; the same ones for one seed. */
final class RandomOntology {

    private static final String[] KINDS = {
        "rdfs:subClassOf",
        "rdfs:subClassOf",
        "rdfs:subClassOf",
        "rdfs:subPropertyOf",
        "rdfs:subPropertyOf",
        "owl:equivalentClass",
        "owl:equivalentProperty",
        "owl:sameAs",
        "owl:intersectionOf",
        "owl:unionOf",
        "owl:inverseOf",
        "owl:inverseOf",
        "symmetric",
        "rdf:type",
        "rdf:type",
        "skos:broader",
        "skos:narrower",
        "skos:broadMatch",
        "skos:narrowMatch",
        "skos:exactMatch",
        "rdfs:domain",
        "rdfs:range",
        "skos:related",
        "skos:closeMatch"
    };
    private static final String[] RESERVED = {"owl:Thing", "rdfs:Class", "rdf:type", "owl:SymmetricProperty"};

    private final Random random;
    private final List<Iri> terms;

    private RandomOntology(Random random, List<Iri> terms) {
        this.random = random;
        this.terms = terms;
    }

    /** Over terms of its own. */
    static RandomOntology small(long seed) {
        Random random = new Random(seed);
        List<Iri> terms = new ArrayList<>();
        int size = 3 + random.nextInt(10);
        for (int i = 0; i < size; i++) {
            terms.add(new Iri(TestOntologies.EX + "t" + i));
        }
        return new RandomOntology(random, terms);
    }

    /** Tags and queries over the terms of other ontologies. */
    static RandomOntology over(long seed, List<Iri> terms) {
        return new RandomOntology(new Random(seed), terms);
    }

    String turtle() {
        StringBuilder text = new StringBuilder();
        int axioms = random.nextInt(terms.size() * 2);
        for (int i = 0; i < axioms; i++) {
            String kind = KINDS[random.nextInt(KINDS.length)];
            String object = switch (kind) {
                case "owl:intersectionOf", "owl:unionOf" -> "( " + node() + " " + node() + " " + node() + " )";
                case "symmetric" -> "owl:SymmetricProperty";
                default -> node();
            };
            text.append(node())
                    .append(' ')
                    .append(kind.equals("symmetric") ? "a" : kind)
                    .append(' ')
                    .append(object)
                    .append(" .\n");
        }
        return text.toString();
    }

    List<Tag> tags(int count) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tags.add(tag());
        }
        return tags;
    }

    MatchQuery query() {
        TagPattern pattern;
        if (random.nextInt(3) == 0) {
            pattern = new TagPattern.Concept(term());
        } else {
            Statement like = statement();
            int open = random.nextInt(7);
            pattern = new TagPattern.Shape(
                    (open & 1) == 0 ? Optional.of(like.subject()) : Optional.empty(),
                    (open & 2) == 0 ? Optional.of(like.predicate()) : Optional.empty(),
                    (open & 4) == 0 ? Optional.of(like.object()) : Optional.empty());
        }
        MatchMode mode = List.of(MatchMode.values()).get(random.nextInt(3));
        return new MatchQuery(pattern, mode, random.nextBoolean(), true, MatchQuery.LIMIT_MAX);
    }

    private Tag tag() {
        return random.nextInt(4) == 0 ? term() : statement();
    }

    private Statement statement() {
        if (random.nextInt(4) == 0) {
            return new Statement(term(), Statement.RDF_TYPE, term());
        }
        Term object = random.nextInt(6) == 0
                ? Literal.of(
                        random.nextBoolean() ? "1.0" : "01.00", new Iri("http://www.w3.org/2001/XMLSchema#decimal"))
                : term();
        return new Statement(term(), term(), object);
    }

    private Iri term() {
        int kind = random.nextInt(30);
        if (kind == 0) {
            return new Iri("urn:unknown:" + random.nextInt(3));
        }
        return kind == 1 ? new Iri("http://www.w3.org/2002/07/owl#Thing") : terms.get(random.nextInt(terms.size()));
    }

    private String node() {
        int kind = random.nextInt(20);
        if (kind < 3) {
            return "_:b" + random.nextInt(3);
        }
        return kind == 3
                ? RESERVED[random.nextInt(RESERVED.length)]
                : "<" + terms.get(random.nextInt(terms.size())).value() + ">";
    }
}
