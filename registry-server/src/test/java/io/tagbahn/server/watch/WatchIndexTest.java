// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Iri;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.semantics.TagIndex;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchIndexTest {

    private static final String NS = "http://example.org/i#";
    private static final List<MatchMode> MODES = List.of(MatchMode.values());
    private static final int TERMS = 8;
    private static final int CHANGED_MAX = 4;

    private final WatchIndex index = new WatchIndex();

    private static Closure closure(String axioms) {
        String document = "@prefix : <" + NS + "> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
                + " @prefix owl: <http://www.w3.org/2002/07/owl#> . " + axioms;
        return Closure.of(List.of(new OntologyParser()
                .parse(new Iri("http://example.org/i"), RdfFormat.TURTLE, document.getBytes(StandardCharsets.UTF_8))));
    }

    private static WatchTarget.Meant meant(String pattern, MatchMode mode) {
        return new WatchTarget.Meant(MatchQuery.of(TagPattern.parse(pattern)).inMode(mode), Optional.empty());
    }

    private static String any(Random random, boolean wild) {
        return wild && random.nextInt(3) == 0 ? "*" : "<" + NS + "t" + random.nextInt(TERMS) + ">";
    }

    private static String statement(Random random, boolean wild) {
        return any(random, wild) + " " + any(random, wild) + " " + any(random, wild);
    }

    private static Optional<WatchTarget.Meant> question(Random random) {
        String pattern = random.nextInt(3) == 0 ? NS + "t" + random.nextInt(TERMS) : statement(random, true);
        return pattern.equals("* * *")
                ? Optional.empty()
                : Optional.of(meant(pattern, MODES.get(random.nextInt(MODES.size()))));
    }

    @Test
    void questionForEntriesIsConcernedByTheseOnly() {
        WatchTarget ab = new WatchTarget.Entries(List.of("a", "b"));
        WatchTarget b = new WatchTarget.Entries(List.of("b"));
        index.add(ab);
        index.add(b);
        assertThat(index.concerned(List.of("a", "c"))).containsExactly(ab);
        assertThat(index.concerned(List.of("b"))).containsExactlyInAnyOrder(ab, b);
        index.remove(ab);
        assertThat(index.concerned(List.of("a", "b"))).containsExactly(b);
    }

    @Test
    void questionByMeaningIsConcernedByTagsThatMatchIt() {
        WatchTarget.Meant works = meant(NS + "Work", MatchMode.SPECIALISE);
        WatchTarget.Meant horror = meant("<" + NS + "Book> <" + NS + "genre> *", MatchMode.COVER);
        index.add(works);
        index.add(horror);
        assertThat(index.concerned(List.of(NS + "Book"))).isEmpty();
        index.closure(closure(":Book rdfs:subClassOf :Work ."));
        assertThat(index.concerned(List.of("books", NS + "Book"))).containsExactly(works);
        assertThat(index.concerned(List.of("<" + NS + "Work> <" + NS + "genre> \"horror\"")))
                .containsExactly(horror);
        // It is about works, and no work.
        assertThat(index.concerned(List.of("<urn:x:a> <urn:x:b> <" + NS + "Book>")))
                .isEmpty();
    }

    /** What is filed under one term must be found by every tag that matches, whatever the axioms. */
    @Test
    void concernedAreExactlyThoseThatSomeChangedTagMatches() {
        long seed = 25;
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            Set<WatchTarget.Meant> questions = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                question(random).ifPresent(questions::add);
            }
            questions.forEach(index::add);
            StringBuilder axioms = new StringBuilder();
            for (int i = 0; i < 6; i++) {
                String kind = List.of(
                                "rdfs:subClassOf", "rdfs:subPropertyOf", "owl:inverseOf", "owl:equivalentClass", "a")
                        .get(random.nextInt(5));
                axioms.append(any(random, false) + " " + kind + " " + any(random, false) + " . ");
            }
            Closure closure = closure(axioms.toString());
            index.closure(closure);
            for (int change = 0; change < 20; change++) {
                List<String> changed = new ArrayList<>();
                List<Tag> tags = new ArrayList<>();
                for (int i = random.nextInt(CHANGED_MAX); i >= 0; i--) {
                    Tag tag = Tag.parse(
                            random.nextInt(3) == 0 ? NS + "t" + random.nextInt(TERMS) : statement(random, false));
                    tags.add(tag);
                    changed.add(tag.spelling());
                }
                TagIndex all = TagIndex.of(closure, tags);
                Set<WatchTarget> expected = new HashSet<>(questions);
                expected.removeIf(question -> question instanceof WatchTarget.Meant asked
                        && all.match(asked.query()).matches().isEmpty());
                assertThat(index.concerned(changed))
                        .as("seed %d, round %d, %s, %s", seed, round, axioms, changed)
                        .isEqualTo(expected);
            }
            questions.forEach(index::remove);
        }
    }
}
