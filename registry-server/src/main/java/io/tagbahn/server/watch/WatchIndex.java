// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.TagIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which questions a change of an entry may concern.
 *
 * <p>A question for entries is found by these. One by meaning is filed under one of its terms: a tag that answers it has a
 * term that is narrower than that, or broader, and of each term of a tag it is known which terms it answers for. Of the
 * questions found so, those count that some changed tag matches.
 */
final class WatchIndex {

    private final Map<String, Set<WatchTarget>> byEntry = new HashMap<>();
    /** Under a term as it was asked for. */
    private final Map<String, Set<WatchTarget.Meant>> byTerm = new HashMap<>();
    /** Under all terms that are broader than the one that was asked for. */
    private final Map<String, Set<WatchTarget.Meant>> byBroader = new HashMap<>();

    private final Set<WatchTarget.Meant> byNothing = new HashSet<>();
    private final Set<WatchTarget.Meant> meant = new HashSet<>();
    private Closure closure = Closure.empty();

    /** What terms mean from now on. */
    void closure(Closure now) {
        if (closure.version().equals(now.version())) {
            return;
        }
        Set<WatchTarget.Meant> all = new HashSet<>(meant);
        all.forEach(this::remove);
        closure = now;
        all.forEach(this::add);
    }

    void add(WatchTarget target) {
        if (target instanceof WatchTarget.Entries entries) {
            entries.entries().forEach(entry -> put(byEntry, entry, target));
        } else if (target instanceof WatchTarget.Meant question) {
            meant.add(question);
            file(question, true);
        }
    }

    void remove(WatchTarget target) {
        if (target instanceof WatchTarget.Entries entries) {
            entries.entries().forEach(entry -> take(byEntry, entry, target));
        } else if (target instanceof WatchTarget.Meant question) {
            meant.remove(question);
            file(question, false);
        }
    }

    private void file(WatchTarget.Meant question, boolean in) {
        Optional<Iri> term = term(question.query().pattern());
        if (term.isEmpty()) {
            if (in) {
                byNothing.add(question);
            } else {
                byNothing.remove(question);
            }
            return;
        }
        MatchMode mode = question.query().mode();
        if (mode != MatchMode.COVER) {
            file(byTerm, term.get().ntriples(), question, in);
        }
        if (mode != MatchMode.SPECIALISE) {
            closure.termsAnswered(term.get()).forEach(broader -> file(byBroader, broader, question, in));
        }
    }

    private static <T> void file(Map<String, Set<T>> map, String key, T target, boolean in) {
        if (in) {
            put(map, key, target);
        } else {
            take(map, key, target);
        }
    }

    /** One term of a pattern that every tag has to match. */
    private static Optional<Iri> term(TagPattern pattern) {
        if (pattern instanceof TagPattern.Concept concept) {
            return Optional.of(concept.concept());
        }
        if (pattern instanceof TagPattern.Shape shape) {
            return shape.object()
                    .filter(Iri.class::isInstance)
                    .map(Iri.class::cast)
                    .or(shape::subject)
                    .or(shape::predicate);
        }
        return Optional.empty();
    }

    private static <T> void put(Map<String, Set<T>> map, String key, T target) {
        map.computeIfAbsent(key, fresh -> new LinkedHashSet<>()).add(target);
    }

    private static <T> void take(Map<String, Set<T>> map, String key, T target) {
        Set<T> targets = map.get(key);
        if (targets != null) {
            targets.remove(target);
            if (targets.isEmpty()) {
                map.remove(key);
            }
        }
    }

    /** The questions whose answers may have changed. */
    Set<WatchTarget> concerned(Collection<String> entries) {
        Set<WatchTarget> concerned = new HashSet<>();
        entries.forEach(entry -> concerned.addAll(byEntry.getOrDefault(entry, Set.of())));
        if (!meant.isEmpty()) {
            addMeant(entries, concerned);
        }
        return concerned;
    }

    /** To ask again costs all nodes more than to see whether there is a tag that counts among those that changed. */
    private void addMeant(Collection<String> entries, Set<WatchTarget> concerned) {
        List<Tag> tags = new ArrayList<>();
        Set<WatchTarget.Meant> candidates = new HashSet<>(byNothing);
        for (String entry : entries) {
            parsed(entry).ifPresent(tag -> {
                tags.add(tag);
                addCandidates(tag, candidates);
            });
        }
        if (!candidates.isEmpty()) {
            TagIndex changed = TagIndex.of(closure, tags);
            candidates.stream()
                    .filter(question -> changed.hasMatch(question.query()))
                    .forEach(concerned::add);
        }
    }

    private static Optional<Tag> parsed(String entry) {
        try {
            return Optional.of(Tag.parse(entry));
        } catch (InvalidArgument e) {
            return Optional.empty(); // nothing that has a meaning
        }
    }

    private void addCandidates(Tag tag, Set<WatchTarget.Meant> candidates) {
        if (!byTerm.isEmpty()) {
            closure.termsAnswered(tag).forEach(term -> candidates.addAll(byTerm.getOrDefault(term, Set.of())));
        }
        if (!byBroader.isEmpty()) {
            Closure.termsOf(tag).forEach(term -> candidates.addAll(byBroader.getOrDefault(term, Set.of())));
        }
    }

    Set<WatchTarget.Meant> meant() {
        return meant;
    }
}
