// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Degree;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Match;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of tags, ready to be matched against a closure. Immutable: changes make a new index that shares what did not
 * change, at a cost that grows with the change and only with the logarithm of the whole.
 *
 * <p>Plain names are left out: they have no meaning, and no semantic query finds them.
 */
public final class TagIndex {

    /** Tags that are told of where another mode would find some. */
    private static final int NEAR_MISSES_MAX = 3;

    private final Closure closure;
    /** From large to small, each at least twice the next. */
    private final List<Segment> segments;

    private TagIndex(Closure closure, List<Segment> segments) {
        this.closure = closure;
        this.segments = List.copyOf(segments);
    }

    public static TagIndex empty(Closure closure) {
        return new TagIndex(closure, List.of());
    }

    public static TagIndex of(Closure closure, Collection<? extends Tag> tags) {
        return empty(closure).with(tags, List.of());
    }

    public Closure closure() {
        return closure;
    }

    public int size() {
        return segments.stream().mapToInt(Segment::size).sum();
    }

    /** The same tags under another closure. */
    public TagIndex on(Closure other) {
        List<String> all = new ArrayList<>();
        for (Segment segment : segments) {
            addLive(segment, all);
        }
        all.sort(Tag.SPELLING_ORDER);
        return new TagIndex(other, all.isEmpty() ? List.of() : List.of(new Segment(other, all)));
    }

    /** This index without some tags, and then with others. Neither need be absent or present before. */
    public TagIndex with(Collection<? extends Tag> added, Collection<? extends Tag> removed) {
        List<Segment> next = new ArrayList<>();
        BitSet[] gone = new BitSet[segments.size()];
        for (Tag tag : removed) {
            String spelling = tag.spelling();
            for (int i = 0; i < segments.size(); i++) {
                int id = segments.get(i).find(spelling);
                if (id >= 0) {
                    gone[i] = gone[i] == null ? new BitSet() : gone[i];
                    gone[i].set(id);
                }
            }
        }
        for (int i = 0; i < segments.size(); i++) {
            Segment segment =
                    gone[i] == null ? segments.get(i) : segments.get(i).without(gone[i]);
            if (segment.size() * 2 >= segment.slotsUsed()) {
                next.add(segment);
            } else if (segment.size() > 0) {
                List<String> live = new ArrayList<>();
                addLive(segment, live);
                next.add(new Segment(closure, live));
            }
        }
        TreeSet<String> fresh = new TreeSet<>(Tag.SPELLING_ORDER);
        for (Tag tag : added) {
            String spelling = tag.spelling();
            if (!(tag instanceof ServiceName) && next.stream().allMatch(segment -> segment.find(spelling) < 0)) {
                fresh.add(spelling);
            }
        }
        if (!fresh.isEmpty()) {
            next.add(new Segment(closure, List.copyOf(fresh)));
        }
        return new TagIndex(closure, merged(next));
    }

    /** The tags that match, best first. */
    public MatchResult match(MatchQuery query) {
        List<String> diagnostics = new ArrayList<>();
        terms(query.pattern())
                .filter(term -> !closure.knows(term))
                .distinct()
                .forEach(term -> diagnostics.add(closure.unknown(term)));
        List<Match> matches = bestFirst(query);
        List<String> nearMisses = matches.isEmpty() ? nearMisses(query) : List.of();
        diagnostics.addAll(nearMisses);
        return new MatchResult(matches, diagnostics, nearMisses);
    }

    /** Whether any tag matches. */
    public boolean hasMatch(MatchQuery query) {
        return segments.stream().anyMatch(segment -> segment.match(query).length > 0);
    }

    /** For a query that finds nothing: what it would find in other modes. */
    private List<String> nearMisses(MatchQuery query) {
        List<String> found = new ArrayList<>();
        for (MatchMode other : MatchMode.values()) {
            if (other == query.mode() || (other == MatchMode.ANY && !found.isEmpty())) {
                continue;
            }
            List<Match> near =
                    bestFirst(new MatchQuery(query.pattern(), other, query.subjects(), false, NEAR_MISSES_MAX));
            if (!near.isEmpty()) {
                found.add("nothing matches in mode " + query.mode() + "; in mode " + other + " would "
                        + near.stream()
                                .map(match ->
                                        match.tag() + " (" + match.degree() + " at distance " + match.distance() + ")")
                                .collect(Collectors.joining(", ")));
            }
        }
        return found;
    }

    private List<Match> bestFirst(MatchQuery query) {
        if (segments.size() == 1) {
            return matches(segments.get(0), query);
        }
        List<Match> all = new ArrayList<>();
        for (Segment segment : segments) {
            all.addAll(matches(segment, query));
        }
        all.sort(Match.BEST_FIRST);
        return all.size() <= query.limit() ? all : all.subList(0, query.limit());
    }

    private List<Match> matches(Segment segment, MatchQuery query) {
        long[] scores = segment.match(query);
        int count = Math.min(scores.length, query.limit());
        List<Match> matches = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String tag = segment.tag(Score.tag(scores[i]));
            Degree degree = Score.degree(scores[i]);
            List<String> explanation = query.explain()
                    ? Explanation.of(closure, query.pattern(), Tag.parse(tag), degree, Score.isOtherWay(scores[i]))
                    : List.of();
            matches.add(new Match(tag, degree, Score.steps(scores[i]), explanation));
        }
        return matches;
    }

    private static Stream<Iri> terms(TagPattern pattern) {
        if (pattern instanceof TagPattern.Concept concept) {
            return Stream.of(concept.concept());
        }
        if (pattern instanceof TagPattern.Shape shape) {
            Stream<Iri> object =
                    shape.object().stream().filter(Iri.class::isInstance).map(Iri.class::cast);
            return Stream.concat(Stream.concat(shape.subject().stream(), shape.predicate().stream()), object);
        }
        throw new IllegalArgumentException("no such pattern: " + pattern);
    }

    /** Unites the smallest segments until each is at least twice the next. */
    private List<Segment> merged(List<Segment> parts) {
        List<Segment> rest = new ArrayList<>(parts);
        rest.sort((a, b) -> Integer.compare(b.size(), a.size()));
        while (rest.size() > 1
                && rest.get(rest.size() - 2).size()
                        < 2 * rest.get(rest.size() - 1).size()) {
            List<String> both = new ArrayList<>();
            addLive(rest.remove(rest.size() - 1), both);
            addLive(rest.remove(rest.size() - 1), both);
            both.sort(Tag.SPELLING_ORDER);
            rest.add(new Segment(closure, both));
            rest.sort((a, b) -> Integer.compare(b.size(), a.size()));
        }
        return rest;
    }

    private static void addLive(Segment segment, List<String> into) {
        for (int i = 0; i < segment.slotsUsed(); i++) {
            if (!segment.isGone(i)) {
                into.add(segment.tag(i));
            }
        }
    }
}
