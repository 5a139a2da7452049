// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import static io.tagbahn.semantics.TestOntologies.EX;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Iri;
import io.tagbahn.model.Match;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ClosureChangeTest {

    @Test
    void tagsThatGainAndLoseAreCountedAndNamed() {
        Closure before = Closure.of(List.of(TestOntologies.turtle(":A rdfs:subClassOf :B . :p owl:inverseOf :q .")));
        Closure after = Closure.of(List.of(TestOntologies.turtle(":A rdfs:subClassOf :C . :i a :C .")));
        ClosureChange change = ClosureChange.between(
                before,
                after,
                List.of(
                        new Iri(EX + "A"),
                        new Iri(EX + "i"),
                        new Iri(EX + "B"),
                        Tag.parse("<urn:s> <" + EX + "q> <urn:o>"),
                        Tag.parse("orders")));
        assertThat(change.tagsGaining()).isEqualTo(2);
        assertThat(change.tagsLosing()).isEqualTo(2);
        assertThat(change.examples())
                .containsExactly(
                        EX + "A would also answer for <" + EX + "C> would no longer answer for <" + EX + "B>",
                        EX + "i would also answer for <" + EX + "C>",
                        "<urn:s> <" + EX + "q> <urn:o> would no longer answer for <" + EX + "p> (exchanged)");
    }

    @Test
    void termAnswersForExactlyTheConceptsWhoseQueriesFindIt() {
        for (long seed = 0; seed < 200; seed++) {
            Closure closure = Closure.of(
                    List.of(TestOntologies.turtle(RandomOntology.small(seed).turtle())));
            List<Iri> terms = new ArrayList<>();
            for (int i = 0; i < 13; i++) {
                terms.add(new Iri(EX + "t" + i));
            }
            for (Iri term : terms) {
                TagIndex index = TagIndex.of(closure, List.of(term));
                Set<String> found = new TreeSet<>();
                for (Iri concept : terms) {
                    List<Match> matches = index.match(MatchQuery.of(new TagPattern.Concept(concept)))
                            .matches();
                    if (!matches.isEmpty()) {
                        found.add(concept.ntriples());
                    }
                }
                Set<String> answers = new TreeSet<>(closure.answersFor(term));
                answers.retainAll(terms.stream().map(Iri::ntriples).toList());
                assertThat(answers).as("seed %d, %s", seed, term).isEqualTo(found);
            }
        }
    }
}
