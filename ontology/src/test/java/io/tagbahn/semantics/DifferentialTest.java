// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Match;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The compiled matcher against {@link SlowOracle}: the same tags, degrees and distances, and explanations that hold.
 *
 * <p>{@code -Dtagbahn.differential.cases=N} runs N times as many cases.
 */
class DifferentialTest {

    private static final int CASES = Integer.getInteger("tagbahn.differential.cases", 1);

    @Test
    void smallOntologiesOfEveryAxiomKindAnswerAsTheOracle() {
        for (long seed = 0; seed < 500L * CASES; seed++) {
            RandomOntology random = RandomOntology.small(seed);
            List<Ontology> ontologies = List.of(
                    TestOntologies.turtle("http://example.org/one", random.turtle()),
                    TestOntologies.turtle("http://example.org/two", random.turtle()));
            List<Tag> tags = random.tags(12);
            Closure closure = Closure.of(ontologies);
            compare("small, seed " + seed, ontologies, TagIndex.of(closure, tags), tags, random, 12);
        }
    }

    @Test
    void changedIndexAnswersAsOneMadeAnew() {
        for (long seed = 0; seed < 60L * CASES; seed++) {
            RandomOntology random = RandomOntology.small(seed);
            List<Ontology> ontologies = List.of(TestOntologies.turtle(random.turtle()));
            TagIndex index = TagIndex.empty(Closure.of(ontologies));
            Set<Tag> present = new LinkedHashSet<>();
            Random order = new Random(seed);
            for (int step = 0; step < 15; step++) {
                List<Tag> added = random.tags(order.nextInt(5));
                List<Tag> removed = new ArrayList<>(random.tags(order.nextInt(3)));
                present.stream().filter(tag -> order.nextInt(4) == 0).forEach(removed::add);
                index = index.with(added, removed);
                removed.forEach(present::remove);
                present.addAll(added);
                assertThat(index.size()).as("seed %d, step %d", seed, step).isEqualTo(present.size());
            }
            compare("changed, seed " + seed, ontologies, index, List.copyOf(present), random, 20);
        }
    }

    @Test
    void realOntologiesAnswerAsTheOracle() {
        real("wine and food", List.of(TestOntologies.wine(), TestOntologies.food()), 150, 40);
        real("pizza", List.of(TestOntologies.pizza()), 150, 40);
        real("SAREF", List.of(TestOntologies.saref()), 150, 40);
        real("schema.org", List.of(TestOntologies.schemaOrg()), 150, 40);
        real("DBpedia", List.of(TestOntologies.dbpedia()), 150, 40);
        real(
                "all at once",
                List.of(
                        TestOntologies.dbpedia(),
                        TestOntologies.schemaOrg(),
                        TestOntologies.wine(),
                        TestOntologies.food(),
                        TestOntologies.obras()),
                150,
                40);
    }

    private static void real(String name, List<Ontology> ontologies, int tagCount, int queries) {
        Set<String> names = new TreeSet<>();
        ontologies.forEach(ontology -> ontology.graph().find().forEach(triple -> {
            if (triple.getSubject().isURI()) {
                names.add(triple.getSubject().getURI());
            }
        }));
        List<Iri> terms = new ArrayList<>();
        names.stream().map(Iri::new).forEach(terms::add);
        Closure closure = Closure.of(ontologies);
        for (long seed = 0; seed < CASES; seed++) {
            RandomOntology random = RandomOntology.over(seed, related(terms, closure, seed));
            List<Tag> tags = random.tags(tagCount);
            compare(name + ", seed " + seed, ontologies, TagIndex.of(closure, tags), tags, random, queries);
        }
    }

    /** A few terms and those near them: over thousands of terms, hardly a random pair has to do with each other. */
    private static List<Iri> related(List<Iri> terms, Closure closure, long seed) {
        Random random = new Random(seed);
        Set<Iri> chosen = new LinkedHashSet<>();
        TagIndex all = TagIndex.of(closure, terms);
        while (chosen.size() < 30) {
            Iri term = terms.get(random.nextInt(terms.size()));
            chosen.add(term);
            all.match(MatchQuery.of(new TagPattern.Concept(term))
                            .inMode(MatchMode.ANY)
                            .limitedTo(6))
                    .matches()
                    .forEach(match -> chosen.add(new Iri(match.tag())));
        }
        return List.copyOf(chosen);
    }

    private static void compare(
            String name,
            List<Ontology> ontologies,
            TagIndex index,
            List<Tag> tags,
            RandomOntology random,
            int queries) {
        SlowOracle oracle = new SlowOracle(ontologies);
        for (int i = 0; i < queries; i++) {
            MatchQuery query;
            try {
                query = random.query();
            } catch (InvalidArgument e) {
                throw new AssertionError("the generator makes legal queries", e);
            }
            List<Match> fast = index.match(query).matches();
            String described = name + ", " + query;
            assertThat(fast.stream().map(match -> new Match(match.tag(), match.degree(), match.distance(), List.of())))
                    .as(described)
                    .containsExactlyElementsOf(oracle.match(tags, query));
            for (Match match : fast) {
                assertThat(ExplanationWalk.proves(oracle, query, match))
                        .as("%s: %s", described, match)
                        .isTrue();
            }
            assertThat(index.match(query.limitedTo(3)).matches())
                    .as(described)
                    .containsExactlyElementsOf(fast.subList(0, Math.min(3, fast.size())));
        }
    }
}
