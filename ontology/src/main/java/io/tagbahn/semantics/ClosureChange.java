// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import io.tagbahn.model.OntologyEffect;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What another closure would change for registered tags.
 *
 * @param tagsGaining tags that would answer queries for more terms than before
 * @param tagsLosing tags that would answer queries for fewer; one that gains some and loses others counts in both
 * @param examples a few of them, in words
 */
public record ClosureChange(int tagsGaining, int tagsLosing, List<String> examples) {

    public ClosureChange {
        examples = List.copyOf(examples);
    }

    public static ClosureChange between(Closure before, Closure after, Collection<? extends Tag> tags) {
        Map<Iri, Difference> terms = new HashMap<>();
        Map<Iri, Difference> predicates = new HashMap<>();
        int gaining = 0;
        int losing = 0;
        List<String> examples = new ArrayList<>();
        for (Tag tag : tags) {
            List<Difference> differences = new ArrayList<>();
            if (tag instanceof Iri iri) {
                differences.add(terms.computeIfAbsent(iri, term -> Difference.ofTerm(before, after, term)));
            } else if (tag instanceof Statement statement) {
                Stream.of(statement.subject(), statement.object())
                        .filter(Iri.class::isInstance)
                        .map(Iri.class::cast)
                        .forEach(iri -> differences.add(
                                terms.computeIfAbsent(iri, term -> Difference.ofTerm(before, after, term))));
                differences.add(predicates.computeIfAbsent(
                        statement.predicate(), term -> Difference.ofPredicate(before, after, term)));
            }
            boolean gains = differences.stream().anyMatch(difference -> !difference.gained.isEmpty());
            boolean loses = differences.stream().anyMatch(difference -> !difference.lost.isEmpty());
            gaining += gains ? 1 : 0;
            losing += loses ? 1 : 0;
            if ((gains || loses) && examples.size() < OntologyEffect.EXAMPLES_MAX) {
                examples.add(example(tag, differences));
            }
        }
        return new ClosureChange(gaining, losing, examples);
    }

    /** The same, as it is told. */
    public OntologyEffect effect() {
        return new OntologyEffect(tagsGaining, tagsLosing, examples);
    }

    private static String example(Tag tag, List<Difference> differences) {
        StringBuilder words = new StringBuilder(tag.spelling());
        differences.stream()
                .flatMap(difference -> difference.gained.stream())
                .findFirst()
                .ifPresent(term -> words.append(" would also answer for ").append(term));
        differences.stream()
                .flatMap(difference -> difference.lost.stream())
                .findFirst()
                .ifPresent(term -> words.append(" would no longer answer for ").append(term));
        return words.toString();
    }

    /** The terms for which one term answers after a change and not before, and the other way round. */
    private record Difference(Set<String> gained, Set<String> lost) {

        static Difference ofTerm(Closure before, Closure after, Iri term) {
            return of(before.answersFor(term), after.answersFor(term));
        }

        static Difference ofPredicate(Closure before, Closure after, Iri term) {
            return of(before.answersForPredicate(term), after.answersForPredicate(term));
        }

        private static Difference of(Set<String> before, Set<String> after) {
            Set<String> gained = new TreeSet<>(after);
            gained.removeAll(before);
            Set<String> lost = new TreeSet<>(before);
            lost.removeAll(after);
            return new Difference(gained, lost);
        }
    }
}
