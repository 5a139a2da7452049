// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Degree;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Match;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.Term;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.jena.query.QueryExecution;
import org.apache.jena.query.QueryExecutionFactory;
import org.apache.jena.query.QuerySolution;
import org.apache.jena.query.ResultSet;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.rdf.model.RDFNode;

/**
 * The rules of matching, written down a second time and as plainly as can be: ARQ property paths give the single steps
 * over the raw graphs, everything else is searched from scratch for each pair of terms. Shares nothing with the compiled
 * code but the values of the model.
 */
final class SlowOracle {

    private static final String PREFIXES = """
            PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
            PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
            PREFIX owl: <http://www.w3.org/2002/07/owl#>
            PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
            """;
    /** One query each: ARQ 5.6 loses the inverse branches of an alternative whose ends are both open. */
    private static final List<String> UNDER = List.of(
            "rdfs:subClassOf",
            "rdfs:subPropertyOf",
            "owl:intersectionOf/rdf:rest*/rdf:first",
            "^(owl:unionOf/rdf:rest*/rdf:first)",
            "skos:broader|skos:broadMatch",
            "^(skos:narrower|skos:narrowMatch)");

    private static final String SAME = "owl:equivalentClass|owl:equivalentProperty|owl:sameAs|skos:exactMatch";
    private static final Iri RDF_TYPE = new Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type");

    /** A term, or a predicate that is read with subject and object exchanged. */
    record State(String name, boolean flipped) {}

    /** How far an advertised term is from the one that was asked for, and on which side. */
    record Relation(Degree degree, int distance) {}

    private final Map<String, Set<String>> up = new HashMap<>();
    private final Map<String, Set<String>> types = new HashMap<>();
    private final Map<String, Set<String>> inverses = new HashMap<>();
    private final Map<State, Set<State>> reachCache = new HashMap<>();

    SlowOracle(Collection<Ontology> ontologies) {
        int number = 0;
        for (Ontology ontology : ontologies) {
            Model model = ModelFactory.createModelForGraph(ontology.graph());
            String label = "_:g" + number + "-";
            number++;
            UNDER.forEach(path -> pairs(model, path, label, (x, y) -> link(up, x, y)));
            pairs(model, SAME, label, (x, y) -> {
                if (!reserved(x) && !reserved(y)) {
                    link(up, x, y);
                    link(up, y, x);
                }
            });
            pairs(model, "rdf:type", label, (x, y) -> {
                link(types, x, y);
                if (y.equals("http://www.w3.org/2002/07/owl#SymmetricProperty")) {
                    link(inverses, x, x);
                }
            });
            pairs(model, "owl:inverseOf", label, (x, y) -> {
                if (!reserved(x) && !reserved(y)) {
                    link(inverses, x, y);
                    link(inverses, y, x);
                }
            });
        }
    }

    List<Match> match(Collection<Tag> tags, MatchQuery query) {
        List<Match> matches = new ArrayList<>();
        for (Tag tag : new LinkedHashSet<>(tags)) {
            best(tag, query).ifPresent(r -> matches.add(new Match(tag.spelling(), r.degree, r.distance, List.of())));
        }
        matches.sort(Match.BEST_FIRST);
        return matches;
    }

    private Optional<Relation> best(Tag tag, MatchQuery query) {
        List<Relation> ways = new ArrayList<>();
        if (query.pattern() instanceof TagPattern.Concept concept) {
            if (tag instanceof Iri iri) {
                ways.addAll(terms(concept.concept(), iri));
            } else if (tag instanceof Statement statement) {
                if (statement.predicate().equals(RDF_TYPE)) {
                    ways.addAll(terms(concept.concept(), statement.object()));
                }
                if (query.subjects()) {
                    ways.addAll(terms(concept.concept(), statement.subject()));
                }
            }
        } else if (tag instanceof Statement statement) {
            TagPattern.Shape shape = (TagPattern.Shape) query.pattern();
            for (boolean flipped : new boolean[] {false, true}) {
                if (flipped && !(statement.object() instanceof Iri)) {
                    continue;
                }
                Term subject = flipped ? statement.object() : statement.subject();
                Term object = flipped ? statement.subject() : statement.object();
                for (Relation s : open(shape.subject(), subject)) {
                    for (Relation p : predicates(shape.predicate(), statement.predicate(), flipped)) {
                        for (Relation o : open(shape.object(), object)) {
                            ways.add(combine(List.of(s, p, o)));
                        }
                    }
                }
            }
        }
        MatchMode mode = query.mode();
        return ways.stream().filter(way -> accepted(mode, way.degree)).min((a, b) -> {
            int order = a.degree.compareTo(b.degree);
            return order != 0 ? order : Integer.compare(a.distance, b.distance);
        });
    }

    private static boolean accepted(MatchMode mode, Degree degree) {
        return degree == Degree.EXACT
                || mode == MatchMode.ANY
                || (mode == MatchMode.SPECIALISE && degree == Degree.SPECIALISES)
                || (mode == MatchMode.COVER && degree == Degree.GENERALISES);
    }

    private static Relation combine(List<Relation> positions) {
        boolean narrower = false;
        boolean broader = false;
        int sum = 0;
        for (Relation position : positions) {
            narrower |= position.degree == Degree.SPECIALISES;
            broader |= position.degree == Degree.GENERALISES;
            sum += position.distance;
        }
        Degree degree = narrower && broader
                ? Degree.OVERLAP
                : narrower ? Degree.SPECIALISES : broader ? Degree.GENERALISES : Degree.EXACT;
        return new Relation(degree, sum);
    }

    private List<Relation> open(Optional<? extends Term> asked, Term advertised) {
        return asked.isEmpty() ? List.of(new Relation(Degree.EXACT, 0)) : terms(asked.get(), advertised);
    }

    /** All ways in which an advertised term relates to a requested one. */
    private List<Relation> terms(Term asked, Term advertised) {
        if (asked.equals(advertised)) {
            return List.of(new Relation(Degree.EXACT, 0));
        }
        if (!(asked instanceof Iri r) || !(advertised instanceof Iri a)) {
            return List.of();
        }
        List<Relation> all = states(new State(r.value(), false), new State(a.value(), false), false);
        boolean exact = all.stream().anyMatch(relation -> relation.degree == Degree.EXACT);
        if (!exact) {
            int typed = Integer.MAX_VALUE;
            for (State same : reach(new State(a.value(), false), false)) {
                if (!reach(same, false).contains(new State(a.value(), false))) {
                    continue;
                }
                for (String type : types.getOrDefault(same.name, Set.of())) {
                    int rest = distance(new State(type, false), new State(r.value(), false), false);
                    typed = rest < 0 ? typed : Math.min(typed, rest + 1);
                }
            }
            if (typed < Integer.MAX_VALUE) {
                all.add(new Relation(Degree.SPECIALISES, typed));
            }
        }
        return all;
    }

    private List<Relation> predicates(Optional<Iri> asked, Iri advertised, boolean flipped) {
        State of = new State(advertised.value(), false);
        if (asked.isPresent()) {
            if (!flipped && asked.get().equals(advertised)) {
                return List.of(new Relation(Degree.EXACT, 0));
            }
            return states(new State(asked.get().value(), flipped), of, true);
        }
        if (!flipped) {
            return List.of(new Relation(Degree.EXACT, 0));
        }
        boolean named = reach(of, true).stream()
                .anyMatch(s ->
                        s.flipped && !s.name.startsWith("_:") && reach(s, true).contains(of));
        return named ? List.of(new Relation(Degree.EXACT, 0)) : List.of();
    }

    private List<Relation> states(State asked, State advertised, boolean predicate) {
        List<Relation> found = new ArrayList<>();
        int below = distance(advertised, asked, predicate);
        int above = distance(asked, advertised, predicate);
        if (below >= 0 && above >= 0) {
            found.add(new Relation(Degree.EXACT, 0));
        } else if (below >= 0) {
            found.add(new Relation(Degree.SPECIALISES, below));
        } else if (above >= 0) {
            found.add(new Relation(Degree.GENERALISES, above));
        }
        return found;
    }

    /** Steps up from one state to another, those within a cycle not counted; -1 where there is no way. */
    int distance(State from, State to, boolean predicate) {
        Map<State, Integer> best = new HashMap<>();
        Deque<State> pending = new ArrayDeque<>();
        best.put(from, 0);
        pending.add(from);
        while (!pending.isEmpty()) {
            State state = pending.removeFirst();
            for (State next : steps(state, predicate)) {
                int cost = cost(state, next, predicate);
                int distance = best.getOrDefault(state, 0) + cost;
                if (distance < best.getOrDefault(next, Integer.MAX_VALUE)) {
                    best.put(next, distance);
                    if (cost == 0) {
                        pending.addFirst(next);
                    } else {
                        pending.addLast(next);
                    }
                }
            }
        }
        return best.getOrDefault(to, -1);
    }

    /** What a single step from narrower to broader costs. */
    int cost(State narrower, State broader, boolean predicate) {
        return reach(broader, predicate).contains(narrower) ? 0 : 1;
    }

    boolean isStep(State narrower, State broader, boolean predicate) {
        return steps(narrower, predicate).contains(broader);
    }

    boolean isInstance(String instance, String type) {
        return types.getOrDefault(instance, Set.of()).contains(type);
    }

    private Set<State> steps(State state, boolean predicate) {
        Set<State> next = new HashSet<>();
        for (String broader : up.getOrDefault(state.name, Set.of())) {
            next.add(new State(broader, state.flipped));
        }
        if (predicate) {
            for (String inverse : inverses.getOrDefault(state.name, Set.of())) {
                next.add(new State(inverse, !state.flipped));
            }
        }
        return next;
    }

    private Set<State> reach(State from, boolean predicate) {
        // Predicates are told apart by a name that no term has.
        State key = predicate ? new State("predicate " + from.name, from.flipped) : from;
        Set<State> known = reachCache.get(key);
        if (known != null) {
            return known;
        }
        Set<State> seen = new HashSet<>();
        Deque<State> pending = new ArrayDeque<>();
        seen.add(from);
        pending.add(from);
        while (!pending.isEmpty()) {
            for (State next : steps(pending.remove(), predicate)) {
                if (seen.add(next)) {
                    pending.add(next);
                }
            }
        }
        reachCache.put(key, seen);
        return seen;
    }

    private interface Pair {
        void take(String x, String y);
    }

    private static void pairs(Model model, String path, String label, Pair pair) {
        try (QueryExecution execution =
                QueryExecutionFactory.create(PREFIXES + "SELECT ?x ?y WHERE { ?x " + path + " ?y }", model)) {
            ResultSet results = execution.execSelect();
            while (results.hasNext()) {
                QuerySolution row = results.next();
                if (!row.get("x").isLiteral() && !row.get("y").isLiteral()) {
                    pair.take(name(row.get("x"), label), name(row.get("y"), label));
                }
            }
        }
    }

    private static void link(Map<String, Set<String>> map, String x, String y) {
        if (!reserved(x)) {
            map.computeIfAbsent(x, k -> new LinkedHashSet<>()).add(y);
        }
    }

    private static boolean reserved(String iri) {
        return List.of(
                        "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
                        "http://www.w3.org/2000/01/rdf-schema#",
                        "http://www.w3.org/2002/07/owl#",
                        "http://www.w3.org/2001/XMLSchema#")
                .stream()
                .anyMatch(iri::startsWith);
    }

    private static String name(RDFNode node, String label) {
        return node.isAnon()
                ? label + node.asNode().getBlankNodeLabel()
                : node.asResource().getURI();
    }
}
