// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Degree;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.Term;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The axioms that lead from what was asked to a tag, position by position. */
final class Explanation {

    private final Closure closure;
    private final Degree degree;
    private final List<String> axioms = new ArrayList<>();

    private Explanation(Closure closure, Degree degree) {
        this.closure = closure;
        this.degree = degree;
    }

    /** @param otherWay as in {@link Score#isOtherWay} */
    static List<String> of(Closure closure, TagPattern pattern, Tag tag, Degree degree, boolean otherWay) {
        Explanation explanation = new Explanation(closure, degree);
        if (pattern instanceof TagPattern.Concept concept) {
            explanation.term(concept.concept(), advertised(tag, otherWay));
        } else if (pattern instanceof TagPattern.Shape shape && tag instanceof Statement statement) {
            Term subject = otherWay ? statement.object() : statement.subject();
            Term object = otherWay ? statement.subject() : statement.object();
            shape.subject().ifPresent(asked -> explanation.term(asked, subject));
            if (shape.predicate().isPresent()) {
                explanation.predicate(shape.predicate().get(), statement.predicate(), otherWay);
            } else if (otherWay) {
                explanation.anySwapped(statement.predicate());
            }
            shape.object().ifPresent(asked -> explanation.term(asked, object));
        }
        return explanation.axioms;
    }

    private static Term advertised(Tag tag, boolean bySubject) {
        if (tag instanceof Statement statement) {
            return bySubject ? statement.subject() : statement.object();
        }
        if (tag instanceof Iri iri) {
            return iri;
        }
        throw new IllegalArgumentException("a name advertises no concept: " + tag.spelling());
    }

    private void term(Term asked, Term advertised) {
        if (asked instanceof Iri from && advertised instanceof Iri to && !from.equals(to)) {
            way(closure.terms(), closure.node(from), closure.node(to));
        }
    }

    private void predicate(Iri asked, Iri advertised, boolean swapped) {
        if (swapped || !asked.equals(advertised)) {
            way(
                    closure.predicates(),
                    closure.predicateNode(closure.node(asked), false),
                    closure.predicateNode(closure.node(advertised), swapped));
        }
    }

    private void anySwapped(Iri advertised) {
        int swapped = closure.predicateNode(closure.node(advertised), true);
        List<Integer> fromTag = new ArrayList<>(closure.predicates().pathToNearest(swapped, closure::isNamedForward));
        Collections.reverse(fromTag);
        append(fromTag);
    }

    private void way(Hierarchy hierarchy, int asked, int advertised) {
        int askedClass = hierarchy.classOf(asked);
        int advertisedClass = hierarchy.classOf(advertised);
        if (askedClass == advertisedClass) {
            append(hierarchy.path(asked, advertised));
            return;
        }
        int up = hierarchy.narrower(askedClass).distance(advertisedClass);
        int down = hierarchy.broader(askedClass).distance(advertisedClass);
        boolean isNarrower = switch (degree) {
            case EXACT, SPECIALISES -> true;
            case GENERALISES -> false;
            case OVERLAP -> down < 0 || (up >= 0 && up <= down);
        };
        if (isNarrower) {
            List<Integer> fromTag = new ArrayList<>(hierarchy.pathFromInstance(advertised, asked));
            Collections.reverse(fromTag);
            append(fromTag);
        } else {
            append(hierarchy.path(asked, advertised));
        }
    }

    private void append(List<Integer> path) {
        for (int axiom : path) {
            axioms.add(closure.axiom(axiom).ntriples());
        }
    }
}
