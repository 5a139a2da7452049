// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is odd about a document in the light of all of them: terms that none defines, circles, and classes under two that are
 * said to have nothing in common. None of it changes what matches.
 */
final class Oddities {

    /** Most that are told of one kind. */
    static final int EACH_MAX = 5;

    /** Terms that are looked at for contradictions, over all pairs of classes; what is left then is not looked at. */
    private static final int CONTRADICTION_STEPS_MAX = 20_000_000;

    private final Closure closure;
    private final Ontology ontology;
    private final List<String> found = new ArrayList<>();

    private Oddities(Closure closure, Ontology ontology) {
        this.closure = closure;
        this.ontology = ontology;
    }

    static List<String> of(Closure closure, Ontology ontology) {
        Oddities oddities = new Oddities(closure, ontology);
        oddities.unknownTerms();
        oddities.circles();
        oddities.contradictions();
        return oddities.found;
    }

    private void unknownTerms() {
        Set<String> unknown = new TreeSet<>();
        for (Axiom axiom : ontology.stated().axioms()) {
            for (String name : List.of(axiom.subject(), axiom.object())) {
                if (!Axiom.isBlank(name) && !closure.defines(name)) {
                    unknown.add(name);
                }
            }
        }
        if (!unknown.isEmpty()) {
            found.add("names " + unknown.size() + " terms that no ontology says anything about, such as "
                    + listed(unknown));
        }
    }

    private void circles() {
        Map<Integer, Set<String>> circles = new LinkedHashMap<>();
        for (Axiom axiom : ontology.stated().axioms()) {
            boolean below = axiom.kind().effect() == AxiomKind.Effect.BELOW
                    || axiom.kind().effect() == AxiomKind.Effect.ABOVE;
            int from = closure.node(axiom.subject());
            int to = closure.node(axiom.object());
            if (below
                    && from >= 0
                    && to >= 0
                    && closure.terms().classOf(from) == closure.terms().classOf(to)) {
                circles.computeIfAbsent(closure.terms().classOf(from), fresh -> new TreeSet<>())
                        .addAll(List.of(axiom.subject(), axiom.object()));
            }
        }
        circles.values().stream()
                .limit(EACH_MAX)
                .forEach(members -> found.add("a circle: " + members.size()
                        + " terms are narrower than each other and count as equivalent, " + listed(members)));
        more(circles.size(), "circles");
    }

    private void contradictions() {
        int count = 0;
        int pairsLeft = CONTRADICTION_STEPS_MAX / Math.max(1, closure.size());
        for (Map.Entry<String, Set<String>> pairs : ontology.stated().disjoint().entrySet()) {
            int one = closure.node(pairs.getKey());
            for (String name : pairs.getValue()) {
                int other = closure.node(name);
                if (one < 0 || other < 0 || pairsLeft-- <= 0) {
                    continue;
                }
                Set<String> both = closure.namesUnder(one);
                both.retainAll(closure.namesUnder(other));
                if (!both.isEmpty() && count++ < EACH_MAX) {
                    found.add(listed(both) + " " + (both.size() == 1 ? "is" : "are") + " under both <" + pairs.getKey()
                            + "> and <" + name + ">, which are said to have nothing in common (owl:disjointWith)");
                }
            }
        }
        more(count, "contradictions");
    }

    private void more(int count, String what) {
        if (count > EACH_MAX) {
            found.add("and " + (count - EACH_MAX) + " more " + what);
        }
    }

    private static String listed(Set<String> names) {
        List<String> some = names.stream()
                .limit(EACH_MAX)
                .map(name -> Axiom.isBlank(name) ? name : new Iri(name).ntriples())
                .toList();
        return String.join(", ", some) + (names.size() > EACH_MAX ? " and others" : "");
    }
}
