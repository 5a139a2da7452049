// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static io.tagbahn.server.node.TestingCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.MatchMode;
import io.tagbahn.thrift.SemanticMatch;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.SemanticResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Answers by meaning on several nodes, while axioms and tags come and go, beside those of a closure that is worked out from
 * scratch with the naive algorithm each time (FF-08 of the field faults).
 */
class MeaningDifferentialTest {

    private static final String NS = "http://example.org/d#";
    private static final String IRI = "http://example.org/d";
    private static final String SUB_CLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>";
    private static final String EQUIVALENT = "<http://www.w3.org/2002/07/owl#equivalentClass>";
    private static final String SUB_PROPERTY = "<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>";
    private static final int CLASSES = 10;
    private static final int PROPERTIES = 4;
    private static final int FAR = 1_000;
    private static final int STEPS = 24;
    private static final int QUERIES_PER_STEP = 4;

    @TempDir
    private Path folder;

    private TestingCluster cluster = new TestingCluster(Path.of(""), 1, Map.of());

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void start(int replicas, int nodes) {
        cluster = new TestingCluster(folder, replicas, Map.of());
        String[] ids = new String[nodes];
        for (int i = 0; i < nodes; i++) {
            ids[i] = "n" + (i + 1);
        }
        cluster.start(ids);
    }

    private record Axiom(String subject, String predicate, String object) {

        String text() {
            return "<" + NS + subject + "> " + predicate + " <" + NS + object + "> .\n";
        }
    }

    /** Which term is narrower than which, and by how many steps: all pairs, again and again until nothing changes. */
    private static final class NaiveClosure {
        private final List<String> terms = new ArrayList<>();
        private final int[][] up;

        NaiveClosure(List<Axiom> axioms) {
            for (int i = 0; i < CLASSES; i++) {
                terms.add("C" + i);
            }
            for (int i = 0; i < PROPERTIES; i++) {
                terms.add("p" + i);
            }
            int[][] plain = nothing();
            for (Axiom axiom : axioms) {
                int from = terms.indexOf(axiom.subject());
                int to = terms.indexOf(axiom.object());
                plain[from][to] = 1;
                if (axiom.predicate().equals(EQUIVALENT)) {
                    plain[to][from] = 1;
                }
            }
            int[][] reach = closed(plain);
            up = nothing();
            for (int i = 0; i < terms.size(); i++) {
                for (int j = 0; j < terms.size(); j++) {
                    boolean circle = reach[i][j] < FAR && reach[j][i] < FAR;
                    up[i][j] = circle ? 0 : plain[i][j];
                }
            }
            int[][] counted = closed(up);
            for (int i = 0; i < terms.size(); i++) {
                up[i] = counted[i];
            }
        }

        private int[][] nothing() {
            int[][] matrix = new int[terms.size()][terms.size()];
            for (int i = 0; i < terms.size(); i++) {
                Arrays.fill(matrix[i], FAR);
                matrix[i][i] = 0;
            }
            return matrix;
        }

        private static int[][] closed(int[][] from) {
            int[][] matrix = Arrays.stream(from).map(int[]::clone).toArray(int[][]::new);
            boolean changed = true;
            while (changed) {
                changed = false;
                for (int i = 0; i < matrix.length; i++) {
                    for (int j = 0; j < matrix.length; j++) {
                        for (int k = 0; k < matrix.length; k++) {
                            if (matrix[i][k] + matrix[k][j] < matrix[i][j]) {
                                matrix[i][j] = matrix[i][k] + matrix[k][j];
                                changed = true;
                            }
                        }
                    }
                }
            }
            return matrix;
        }

        /** Steps from the narrower term to the broader one. */
        int steps(String narrow, String broad) {
            return up[terms.indexOf(narrow)][terms.indexOf(broad)];
        }
    }

    /** What answers, as {@code tag degree distance}. */
    private static Set<String> expected(NaiveClosure closure, String[] asked, MatchMode mode, Iterable<String[]> tags) {
        Set<String> answers = new TreeSet<>();
        for (String[] tag : tags) {
            if (tag.length != asked.length) {
                continue;
            }
            boolean narrower = false;
            boolean broader = false;
            boolean out = false;
            int distance = 0;
            for (int i = 0; i < asked.length; i++) {
                if (asked[i].equals("*")) {
                    continue;
                }
                int down = closure.steps(tag[i], asked[i]);
                int above = closure.steps(asked[i], tag[i]);
                if (down >= FAR && above >= FAR) {
                    out = true;
                } else if (down < FAR && down + above > 0) {
                    narrower = true;
                    distance += down;
                } else if (down >= FAR) {
                    broader = true;
                    distance += above;
                }
            }
            String degree =
                    narrower && broader ? "OVERLAP" : narrower ? "SPECIALISES" : broader ? "GENERALISES" : "EXACT";
            boolean accepted = mode == MatchMode.ANY
                    || degree.equals("EXACT")
                    || degree.equals(mode == MatchMode.COVER ? "GENERALISES" : "SPECIALISES");
            if (!out && accepted) {
                answers.add(spelt(tag) + " " + degree + " " + distance);
            }
        }
        return answers;
    }

    private static String spelt(String[] terms) {
        if (terms.length == 1) {
            return NS + terms[0];
        }
        List<String> spelt = new ArrayList<>();
        for (String term : terms) {
            spelt.add(term.equals("*") ? "*" : "<" + NS + term + ">");
        }
        return String.join(" ", spelt);
    }

    private SemanticResult whole(String node, SemanticQuery query) {
        List<SemanticResult> whole = new ArrayList<>();
        eventually(() -> {
            SemanticResult result = cluster.at(node)
                    .semanticDiscover(query.deepCopy().setContext(new CallContext().setDeadlineMillis(10_000)));
            if (!result.isDegraded()) {
                whole.add(result);
            }
            return !whole.isEmpty();
        });
        return whole.get(0);
    }

    private static Set<String> told(SemanticResult result) {
        Set<String> answers = new TreeSet<>();
        for (SemanticMatch match : result.getMatches()) {
            answers.add(match.getTag() + " " + match.getDegree() + " " + match.getDistance());
        }
        return answers;
    }

    private static String any(Random random, String letter, int count) {
        return letter + random.nextInt(count);
    }

    private static String[] randomTag(Random random) {
        return random.nextInt(3) == 0
                ? new String[] {any(random, "C", CLASSES)}
                : new String[] {any(random, "C", CLASSES), any(random, "p", PROPERTIES), any(random, "C", CLASSES)};
    }

    private static String[] randomQuestion(Random random) {
        String[] question = randomTag(random);
        if (question.length == 3) {
            question[random.nextInt(3)] = "*";
        }
        return question;
    }

    private static Axiom randomAxiom(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> new Axiom(any(random, "p", PROPERTIES), SUB_PROPERTY, any(random, "p", PROPERTIES));
            case 1 -> new Axiom(any(random, "C", CLASSES), EQUIVALENT, any(random, "C", CLASSES));
            default -> new Axiom(any(random, "C", CLASSES), SUB_CLASS, any(random, "C", CLASSES));
        };
    }

    @ParameterizedTest
    @CsvSource({"1,1,11", "3,1,12", "3,2,13"})
    void answersAreThoseOfTheNaiveClosureAfterEachChange(int nodes, int replicas, long seed) {
        start(replicas, nodes);
        Random random = new Random(seed);
        List<Axiom> axioms = new ArrayList<>();
        Map<String, String[]> tags = new TreeMap<>();
        MatchMode[] modes = MatchMode.values();
        for (int step = 0; step < STEPS; step++) {
            String node = any(random, "n", nodes).replace("n", "");
            String at = "n" + (Integer.parseInt(node) + 1);
            change(random, at, axioms, tags);
            NaiveClosure closure = new NaiveClosure(axioms);
            for (int i = 0; i < QUERIES_PER_STEP; i++) {
                String[] asked = randomQuestion(random);
                MatchMode mode = modes[random.nextInt(modes.length)];
                String asker = "n" + (1 + random.nextInt(nodes));
                SemanticResult result = whole(asker, new SemanticQuery(spelt(asked)).setMode(mode));
                assertThat(told(result))
                        .as("seed %d, step %d, %s in mode %s", seed, step, spelt(asked), mode)
                        .isEqualTo(expected(closure, asked, mode, tags.values()));
            }
        }
    }

    @Test
    void axiomThatIsRemovedAndPutBackChangesNothingInTheEnd() {
        start(1, 1);
        Random random = new Random(14);
        List<Axiom> axioms = new ArrayList<>();
        Map<String, String[]> tags = new TreeMap<>();
        for (int i = 0; i < 15; i++) {
            axioms.add(randomAxiom(random));
            String[] tag = randomTag(random);
            cluster.at("n1").register(instance("i" + i, "service", "10.0.0.1", 80), spelt(tag));
            tags.put("i" + i, tag);
        }
        for (int i = 0; i < 5; i++) {
            for (List<Axiom> present : List.of(without(axioms, i), axioms)) {
                StringBuilder document = new StringBuilder();
                present.forEach(axiom -> document.append(axiom.text()));
                cluster.at("n1").putOntology(IRI, document.toString());
                NaiveClosure closure = new NaiveClosure(present);
                for (String subject : List.of("C0", "C1", "C2", "C3", "C4")) {
                    String[] asked = {subject, "*", "*"};
                    assertThat(told(whole("n1", new SemanticQuery(spelt(asked)).setMode(MatchMode.ANY))))
                            .as("axiom %d, %s", i, subject)
                            .isEqualTo(expected(closure, asked, MatchMode.ANY, tags.values()));
                }
            }
        }
    }

    private static List<Axiom> without(List<Axiom> axioms, int index) {
        List<Axiom> others = new ArrayList<>(axioms);
        others.remove(index);
        return others;
    }

    private void change(Random random, String at, List<Axiom> axioms, Map<String, String[]> tags) {
        switch (random.nextInt(4)) {
            case 0 -> {
                if (!axioms.isEmpty() && random.nextInt(3) == 0) {
                    axioms.remove(random.nextInt(axioms.size()));
                } else {
                    axioms.add(randomAxiom(random));
                }
                StringBuilder document = new StringBuilder();
                axioms.forEach(axiom -> document.append(axiom.text()));
                cluster.at(at).putOntology(IRI, document.toString());
            }
            case 1 -> {
                if (!tags.isEmpty()) {
                    String gone = List.copyOf(tags.keySet()).get(random.nextInt(tags.size()));
                    cluster.at(at).deregister(gone, 0);
                    tags.remove(gone);
                }
            }
            default -> {
                String id = "i" + random.nextInt(25);
                String[] tag = randomTag(random);
                cluster.at(at).register(instance(id, "service", "10.0.0.1", 80), spelt(tag));
                tags.put(id, tag);
            }
        }
    }

    @Test
    void noAnswerIsOneThatWasNeverTrue() {
        start(1, 3);
        String without = new Axiom("C1", SUB_CLASS, "C0").text() + new Axiom("C2", SUB_CLASS, "C0").text();
        String with = without + new Axiom("C3", SUB_CLASS, "C0").text();
        Map<String, Integer> countOf = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            cluster.at("n1").register(instance("i" + i, "service", "10.0.0.1", 80), NS + "C" + (i + 1));
        }
        for (String document : List.of(without, with)) {
            cluster.at("n1").putOntology(IRI, document);
            SemanticResult result = whole("n1", new SemanticQuery(NS + "C0"));
            countOf.put(result.getOntologyVersion(), result.getMatchesSize());
        }
        assertThat(countOf.values()).containsExactlyInAnyOrder(2, 3);
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Integer>> readers = new ArrayList<>();
        for (String node : cluster.ids()) {
            readers.add(CompletableFuture.supplyAsync(() -> read(node, countOf, over)));
        }
        for (int i = 0; i < 10; i++) {
            cluster.at("n" + (1 + i % 3)).putOntology(IRI, i % 2 == 0 ? without : with);
        }
        over.set(true);
        readers.forEach(reader -> assertThat(reader.join()).isPositive());
    }

    private int read(String node, Map<String, Integer> countOf, AtomicBoolean over) {
        int answers = 0;
        while (!over.get() || answers == 0) {
            SemanticResult result = whole(node, new SemanticQuery(NS + "C0"));
            assertThat(result.getMatchesSize())
                    .as("under the ontologies %s", result.getOntologyVersion())
                    .isEqualTo(Objects.requireNonNull(countOf.get(result.getOntologyVersion())));
            answers++;
        }
        return answers;
    }
}
