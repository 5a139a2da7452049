// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Degree;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Match;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Follows an explanation from what was asked, axiom by axiom, and sees whether it ends at the tag at the right cost. */
final class ExplanationWalk {

    private static final Pattern AXIOM = Pattern.compile("(<[^>]*>|_:\\S+) <([^>]*)> (<[^>]*>|_:\\S+)");
    private static final String SYMMETRIC = "http://www.w3.org/2002/07/owl#SymmetricProperty";
    private static final String RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
    private static final String INVERSE = "http://www.w3.org/2002/07/owl#inverseOf";

    private final SlowOracle oracle;
    private final List<String> axioms;
    private int at;
    private int cost;
    private boolean narrower;
    private boolean broader;
    /** Which end of its first axiom an open, swapped predicate begins at. */
    private final int openEnd;

    private ExplanationWalk(SlowOracle oracle, List<String> axioms, int openEnd) {
        this.oracle = oracle;
        this.axioms = axioms;
        this.openEnd = openEnd;
    }

    /** Whether there is a reading of the explanation under which it proves the match. */
    static boolean proves(SlowOracle oracle, MatchQuery query, Match match) {
        Tag tag = Tag.parse(match.tag());
        List<List<Leg>> readings = new ArrayList<>();
        if (query.pattern() instanceof TagPattern.Concept concept) {
            if (tag instanceof Statement statement) {
                readings.add(List.of(new Leg(Optional.of(concept.concept()), statement.object(), false, false)));
                readings.add(List.of(new Leg(Optional.of(concept.concept()), statement.subject(), false, false)));
            } else {
                readings.add(List.of(new Leg(Optional.of(concept.concept()), (Iri) tag, false, false)));
            }
        } else {
            TagPattern.Shape shape = (TagPattern.Shape) query.pattern();
            Statement statement = (Statement) tag;
            for (boolean flipped : new boolean[] {false, true}) {
                readings.add(List.of(
                        new Leg(shape.subject(), flipped ? statement.object() : statement.subject(), false, false),
                        new Leg(shape.predicate(), statement.predicate(), true, flipped),
                        new Leg(shape.object(), flipped ? statement.subject() : statement.object(), false, false)));
            }
        }
        return readings.stream()
                .anyMatch(legs -> new ExplanationWalk(oracle, match.explanation(), 0).walks(legs, match)
                        || new ExplanationWalk(oracle, match.explanation(), 1).walks(legs, match));
    }

    private record Leg(Optional<? extends Term> asked, Term advertised, boolean predicate, boolean flipped) {}

    private boolean walks(List<Leg> legs, Match match) {
        for (Leg leg : legs) {
            if (!walk(leg)) {
                return false;
            }
        }
        Degree degree = narrower && broader
                ? Degree.OVERLAP
                : narrower ? Degree.SPECIALISES : broader ? Degree.GENERALISES : Degree.EXACT;
        return at == axioms.size() && cost == match.distance() && degree == match.degree();
    }

    private boolean walk(Leg leg) {
        if (leg.asked.isEmpty()) {
            if (!leg.flipped) {
                return true;
            }
            // An open predicate that was swapped: the first axiom names one that says the same.
            return at < axioms.size() && steps(leg, first(openEnd));
        }
        if (leg.asked.get().equals(leg.advertised) && !leg.flipped) {
            return true;
        }
        return leg.asked.get() instanceof Iri asked && leg.advertised instanceof Iri && steps(leg, asked.value());
    }

    private String first(int end) {
        Matcher axiom = AXIOM.matcher(axioms.get(at));
        return axiom.matches() ? name(axiom.group(end == 0 ? 1 : 3)) : "";
    }

    private boolean steps(Leg leg, String start) {
        int begun = at;
        SlowOracle.State state = new SlowOracle.State(start, false);
        SlowOracle.State goal = new SlowOracle.State(((Iri) leg.advertised).value(), leg.flipped);
        while (!state.equals(goal)) {
            Matcher axiom = AXIOM.matcher(at < axioms.size() ? axioms.get(at) : "");
            if (!axiom.matches()) {
                at = begun;
                return false;
            }
            at++;
            SlowOracle.State next = next(state, axiom, leg.predicate);
            if (next == null || !account(state, next, axiom.group(2), leg.predicate)) {
                at = begun;
                return false;
            }
            state = next;
        }
        return true;
    }

    private static SlowOracle.@Nullable State next(SlowOracle.State state, Matcher axiom, boolean predicate) {
        String subject = name(axiom.group(1));
        String object = name(axiom.group(3));
        if (predicate && axiom.group(2).equals(RDF_TYPE) && object.equals(SYMMETRIC)) {
            return new SlowOracle.State(state.name(), !state.flipped());
        }
        boolean flip = predicate && axiom.group(2).equals(INVERSE);
        String other = subject.equals(state.name()) ? object : object.equals(state.name()) ? subject : null;
        return other == null ? null : new SlowOracle.State(other, state.flipped() != flip);
    }

    private boolean account(SlowOracle.State from, SlowOracle.State to, String kind, boolean predicate) {
        if (kind.equals(RDF_TYPE) && !predicate) {
            narrower = true;
            cost++;
            return oracle.isInstance(to.name(), from.name());
        }
        boolean down = oracle.isStep(to, from, predicate);
        boolean up = oracle.isStep(from, to, predicate);
        if (!down && !up) {
            return false;
        }
        int steps = down ? oracle.cost(to, from, predicate) : oracle.cost(from, to, predicate);
        cost += steps;
        narrower |= steps > 0 && down;
        broader |= steps > 0 && up;
        return true;
    }

    /** Blank nodes are named by the closure as {@code _:d0b1}, by the oracle as {@code _:g0-b1}. */
    private static String name(String term) {
        return term.startsWith("_:")
                ? term.replaceFirst("_:d(\\d+)b", "_:g$1-b")
                : term.substring(1, term.length() - 1);
    }
}
