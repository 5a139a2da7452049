// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagWarning;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a set of ontologies says about which term is narrower than which, compiled once for the set. Immutable.
 *
 * <p>Terms are numbered nodes. Two hierarchies lie over them: one of terms, and one of predicates as statements use
 * them, where each node exists forward and swapped (subject and object change places), so that inverse and symmetric
 * properties are equivalences between the two.
 */
public final class Closure {

    private static final int NO_NODE = IntMap.ABSENT;
    private static final String EXCHANGED = " (exchanged)";

    private final String version;
    private final List<String> warnings;
    private final boolean hasOntologies;
    private final Map<String, Integer> nodes = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final Set<String> mentioned = new HashSet<>();
    private final List<Axiom> axioms;
    private final Hierarchy terms;
    private final Hierarchy predicates;
    private final boolean hasSwaps;
    private final BitSet namedSwapped;
    private final Spellings spellings;
    private final Map<String, Set<String>> domains = new HashMap<>();
    private final Map<String, Set<String>> ranges = new HashMap<>();

    private Closure(Collection<Ontology> ontologies, OntologyScope scope) {
        List<Ontology> ordered = new ArrayList<>(ontologies);
        ordered.sort(Comparator.comparing((Ontology o) -> o.iri().value()));
        List<String> allWarnings = new ArrayList<>();
        List<Axiom> allAxioms = new ArrayList<>();
        Set<Iri> seen = new HashSet<>();
        for (int i = 0; i < ordered.size(); i++) {
            Ontology ontology = ordered.get(i);
            if (!seen.add(ontology.iri())) {
                throw new IllegalArgumentException("two documents under " + ontology.iri());
            }
            AxiomReader reader = new AxiomReader(ontology, scope, "d" + i).read();
            allAxioms.addAll(reader.axioms());
            reader.warnings().forEach(warning -> allWarnings.add(ontology.iri() + ": " + warning));
            mentioned.addAll(ontology.stated().subjects());
            ontology.stated()
                    .domains()
                    .forEach((property, classes) -> domains.computeIfAbsent(property, fresh -> new HashSet<>())
                            .addAll(classes));
            ontology.stated()
                    .ranges()
                    .forEach((property, classes) -> ranges.computeIfAbsent(property, fresh -> new HashSet<>())
                            .addAll(classes));
        }
        // Every node that holds the same documents answers the same, explanations included.
        this.axioms = allAxioms.stream().distinct().sorted().toList();
        this.warnings = List.copyOf(allWarnings);
        this.hasOntologies = !ordered.isEmpty();
        this.version = version(ordered, scope);
        for (Axiom axiom : axioms) {
            number(axiom.subject());
            number(axiom.object());
        }
        Edges edges = new Edges(axioms, nodes);
        this.hasSwaps = edges.hasSwaps();
        this.terms = new Hierarchy(edges.broader(), edges.types());
        this.predicates = new Hierarchy(
                hasSwaps ? edges.broaderOfPredicates() : edges.broader(), edges.noTypes(hasSwaps ? 2 : 1));
        this.namedSwapped = hasSwaps ? namedSwapped() : new BitSet();
        this.spellings = new Spellings(mentioned);
    }

    /** The known term that was probably meant by an unknown one. */
    public Optional<Iri> probablyMeant(Iri unknown) {
        return spellings.nearest(unknown.value()).map(Iri::new);
    }

    /** Classes of which the subject (or the object) of a property is one, as far as documents say. */
    Set<String> domains(String property) {
        return domains.getOrDefault(property, Set.of());
    }

    Set<String> ranges(String property) {
        return ranges.getOrDefault(property, Set.of());
    }

    /** All axioms of a set of ontologies. */
    public static Closure of(Collection<Ontology> ontologies) {
        return new Closure(ontologies, OntologyScope.EVERYTHING);
    }

    /**
     * The axioms of a set of ontologies that are within a scope.
     *
     * @throws IllegalArgumentException where two of them have the same IRI
     */
    public static Closure of(Collection<Ontology> ontologies, OntologyScope scope) {
        return new Closure(ontologies, scope);
    }

    /** No ontology at all: every term matches itself. */
    public static Closure empty() {
        return of(List.of());
    }

    /** Identifies the set of ontologies and the scope: equal exactly where these are. */
    public String version() {
        return version;
    }

    /** For people: axioms that were left out, and those about terms of other ontologies. */
    public List<String> warnings() {
        return warnings;
    }

    /** What is worth telling about one of the documents. */
    public List<String> warningsAbout(Iri ontology) {
        String prefix = ontology + ": ";
        return warnings.stream()
                .filter(warning -> warning.startsWith(prefix))
                .map(warning -> warning.substring(prefix.length()))
                .toList();
    }

    /** The terms of a tag that no ontology knows, as they are written; nothing where there is no ontology at all. */
    public List<String> unknownTerms(Tag tag) {
        List<String> unknown = new ArrayList<>();
        if (hasOntologies && tag instanceof Iri iri) {
            addUnknown(iri, unknown);
        } else if (hasOntologies && tag instanceof Statement statement) {
            addUnknown(statement.subject(), unknown);
            addUnknown(statement.predicate(), unknown);
            if (statement.object() instanceof Iri object) {
                addUnknown(object, unknown);
            }
        }
        return unknown;
    }

    private void addUnknown(Iri term, List<String> unknown) {
        if (!knows(term)) {
            unknown.add(term.ntriples());
        }
    }

    /** Whether an ontology says anything about a term; one of which nothing is known matches only itself. */
    public boolean knows(Iri term) {
        return nodes.containsKey(term.value())
                || mentioned.contains(term.value())
                || Vocabulary.isReserved(term.value());
    }

    /** What is suspicious about a tag in the light of the ontologies: terms that none of them knows. */
    public List<TagWarning> warnings(Tag tag) {
        List<TagWarning> found = new ArrayList<>();
        if (tag instanceof Iri iri) {
            warnIfUnknown(tag, iri, found);
        } else if (tag instanceof Statement statement) {
            warnIfUnknown(tag, statement.subject(), found);
            warnIfUnknown(tag, statement.predicate(), found);
            if (statement.object() instanceof Iri object) {
                warnIfUnknown(tag, object, found);
            }
            found.addAll(Contradictions.of(this, statement));
        }
        return found;
    }

    /** Whether it is worth looking at tags at all. */
    public boolean hasAnythingToSay() {
        return hasOntologies;
    }

    private void warnIfUnknown(Tag tag, Iri term, List<TagWarning> found) {
        if (hasOntologies && !knows(term)) {
            found.add(new TagWarning(tag.spelling(), unknown(term)));
        }
    }

    /** What people are told of a term that no ontology knows. */
    String unknown(Iri term) {
        return "no ontology knows " + term + ": it matches only itself"
                + probablyMeant(term).map(meant -> "; was " + meant + " meant?").orElse("");
    }

    /** What is odd about one of the documents in the light of all; for people. */
    public List<String> oddities(Ontology ontology) {
        return Oddities.of(this, ontology);
    }

    /** Whether a document says something of the term itself, or it is a reserved one. */
    boolean defines(String name) {
        return mentioned.contains(name) || Vocabulary.isReserved(name);
    }

    /** How many terms axioms are about. */
    int size() {
        return names.size();
    }

    /** The names in the class of a node and in those below. */
    Set<String> namesUnder(int node) {
        Set<String> found = new TreeSet<>();
        int of = terms.classOf(node);
        Reach below = terms.narrower(of);
        for (int i = 0; i < names.size(); i++) {
            int c = terms.classOf(i);
            if ((c == of || below.distance(c) >= 0) && !Axiom.isBlank(names.get(i))) {
                found.add(names.get(i));
            }
        }
        return found;
    }

    /** The node of a term, or -1 where no axiom is about it. */
    int node(Iri term) {
        return node(term.value());
    }

    int node(String name) {
        Integer node = nodes.get(name);
        return node == null ? NO_NODE : node;
    }

    Hierarchy terms() {
        return terms;
    }

    Hierarchy predicates() {
        return predicates;
    }

    /** Whether any axiom makes subjects and objects change places. */
    boolean hasSwaps() {
        return hasSwaps;
    }

    /** The node of a term in the hierarchy of predicates. */
    int predicateNode(int node, boolean swapped) {
        return hasSwaps ? node * 2 + (swapped ? 1 : 0) : node;
    }

    /**
     * Whether there is a predicate with a name that says the same as another whose subject and object have changed
     * places.
     *
     * @param predicateClass of the other, as it stands
     */
    boolean hasNameSwapped(int predicateClass) {
        return namedSwapped.get(predicateClass);
    }

    /** Whether a node of the hierarchy of predicates is an IRI with subject and object in their places. */
    boolean isNamedForward(int predicateNode) {
        return predicateNode % 2 == 0 && !Axiom.isBlank(names.get(predicateNode / 2));
    }

    /** The terms for which the terms of a tag answer, wherever they stand in it: written as in N-Triples. */
    public Set<String> termsAnswered(Tag tag) {
        Set<String> found = new HashSet<>();
        if (tag instanceof Iri iri) {
            found.addAll(answersFor(iri));
            answersForPredicate(iri).forEach(term -> found.add(term.replace(EXCHANGED, "")));
        } else if (tag instanceof Statement statement) {
            found.addAll(answersFor(statement.subject()));
            found.addAll(answersFor(statement.predicate()));
            answersForPredicate(statement.predicate()).forEach(term -> found.add(term.replace(EXCHANGED, "")));
            if (statement.object() instanceof Iri object) {
                found.addAll(answersFor(object));
            }
        }
        return found;
    }

    /** The terms of a tag that have a meaning, written as in N-Triples. */
    public static Set<String> termsOf(Tag tag) {
        if (tag instanceof Iri iri) {
            return Set.of(iri.ntriples());
        }
        Set<String> terms = new HashSet<>();
        if (tag instanceof Statement statement) {
            terms.add(statement.subject().ntriples());
            terms.add(statement.predicate().ntriples());
            if (statement.object() instanceof Iri object) {
                terms.add(object.ntriples());
            }
        }
        return terms;
    }

    /** The terms for which an advertised term answers: itself, those broader, and what it is an instance of. */
    Set<String> answersFor(Iri term) {
        Set<String> found = new HashSet<>();
        add(found, term.value(), "");
        int node = node(term);
        if (node >= 0) {
            terms.forEachAbove(node, above -> add(found, names.get(above), ""));
        }
        return found;
    }

    /** The same for a predicate; one for which it answers with subject and object exchanged is marked so. */
    Set<String> answersForPredicate(Iri term) {
        Set<String> found = new HashSet<>();
        add(found, term.value(), "");
        int node = node(term);
        if (node >= 0) {
            predicates.forEachAbove(predicateNode(node, false), above -> {
                boolean swapped = hasSwaps && above % 2 == 1;
                add(found, names.get(hasSwaps ? above / 2 : above), swapped ? EXCHANGED : "");
            });
        }
        return found;
    }

    private static void add(Set<String> found, String name, String mark) {
        if (!Axiom.isBlank(name)) {
            found.add("<" + name + ">" + mark);
        }
    }

    Axiom axiom(int index) {
        return axioms.get(index);
    }

    private void number(String name) {
        if (nodes.putIfAbsent(name, names.size()) == null) {
            names.add(name);
        }
    }

    private BitSet namedSwapped() {
        BitSet named = new BitSet();
        for (int node = 0; node < names.size() * 2; node++) {
            if (isNamedForward(node)) {
                named.set(predicates.classOf(node));
            }
        }
        BitSet result = new BitSet();
        for (int node = 0; node < names.size(); node++) {
            if (named.get(predicates.classOf(node * 2 + 1))) {
                result.set(predicates.classOf(node * 2));
            }
        }
        return result;
    }

    private static String version(List<Ontology> ontologies, OntologyScope scope) {
        StringBuilder set = new StringBuilder(scope.name());
        for (Ontology ontology : ontologies) {
            set.append('\n').append(ontology.iri().value()).append(' ').append(ontology.contentHash());
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of()
                    .formatHex(digest.digest(set.toString().getBytes(StandardCharsets.UTF_8)))
                    .substring(0, 32);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
