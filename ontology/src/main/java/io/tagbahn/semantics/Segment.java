// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.Term;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Some tags of an index in the order of their spelling, with postings for each position. Immutable; the tags that were
 * taken out since it was made are marked in a copy.
 */
final class Segment {

    private static final int NO_CLASS = -1;

    private final Closure closure;
    private final String[] tags;
    private final BitSet gone;
    private final Columns columns;
    private final Postings concepts;
    private final Postings subjects;
    private final Postings predicates;
    private final Postings objects;

    /** The class at each position of each tag. Terms that the closure has no node for get classes of this segment. */
    private static final class Columns {
        private final int[] concept;
        private final int[] subject;
        private final int[] predicate;
        private final int[] object;
        private final BitSet literals;
        private final Map<String, Integer> ownTerms = new HashMap<>();

        Columns(int size) {
            concept = new int[size];
            subject = new int[size];
            predicate = new int[size];
            object = new int[size];
            literals = new BitSet(size);
        }
    }

    /** @param sorted IRIs and statements in the order of {@link Tag#SPELLING_ORDER}, none twice */
    Segment(Closure closure, List<String> sorted) {
        this.closure = closure;
        this.tags = sorted.toArray(new String[0]);
        this.gone = new BitSet();
        this.columns = new Columns(tags.length);
        for (int i = 0; i < tags.length; i++) {
            fill(i, Tag.parse(tags[i]));
        }
        this.concepts = new Postings(columns.concept);
        this.subjects = new Postings(columns.subject);
        this.predicates = new Postings(columns.predicate);
        this.objects = new Postings(columns.object);
    }

    private Segment(Segment of, BitSet gone) {
        this.closure = of.closure;
        this.tags = of.tags;
        this.gone = gone;
        this.columns = of.columns;
        this.concepts = of.concepts;
        this.subjects = of.subjects;
        this.predicates = of.predicates;
        this.objects = of.objects;
    }

    Segment without(BitSet ids) {
        BitSet all = (BitSet) gone.clone();
        all.or(ids);
        return new Segment(this, all);
    }

    int size() {
        return tags.length - gone.cardinality();
    }

    int slotsUsed() {
        return tags.length;
    }

    /** The number of a tag that is here; negative where it isn't. */
    int find(String spelling) {
        int i = Arrays.binarySearch(tags, spelling, Tag.SPELLING_ORDER);
        return i >= 0 && !gone.get(i) ? i : -1;
    }

    String tag(int id) {
        return tags[id];
    }

    boolean isGone(int id) {
        return gone.get(id);
    }

    /** The scores of all tags that match, best first. */
    long[] match(MatchQuery query) {
        Scores scores = new Scores();
        if (query.pattern() instanceof TagPattern.Concept concept) {
            Side side = side(concept.concept(), query.mode());
            scan(side, concepts, query.mode(), false, scores);
            if (query.subjects()) {
                scan(side, subjects, query.mode(), true, scores);
            }
        } else if (query.pattern() instanceof TagPattern.Shape shape) {
            matchShape(shape, query.mode(), scores);
        }
        return scores.bestFirst();
    }

    private void scan(Side side, Postings postings, MatchMode mode, boolean otherWay, Scores scores) {
        for (int slot : side.slots(postings)) {
            // All tags of a slot have one class, and so one degree and distance.
            long score = Score.one(side, postings.classAt(slot), mode, otherWay);
            if (score == Score.NONE) {
                continue;
            }
            for (int i = 0; i < postings.count(slot); i++) {
                int tag = postings.tag(slot, i);
                if (!gone.get(tag)) {
                    scores.add(Score.ofTag(score, tag));
                }
            }
        }
    }

    private void matchShape(TagPattern.Shape shape, MatchMode mode, Scores scores) {
        Side subject = shape.subject().map(iri -> side(iri, mode)).orElse(Side.ANYTHING);
        Side object = shape.object().map(term -> side(term, mode)).orElse(Side.ANYTHING);
        Side forward =
                shape.predicate().map(iri -> predicateSide(iri, mode, false)).orElse(Side.ANYTHING);
        statements(new Side[] {subject, forward, object}, mode, false, scores);
        if (closure.hasSwaps()) {
            Side swapped =
                    shape.predicate().map(iri -> predicateSide(iri, mode, true)).orElse(Side.ANYTHING);
            statements(new Side[] {object, swapped, subject}, mode, true, scores);
        }
    }

    /** Walks the shortest of the posting lists and looks at the other two positions of each statement in it. */
    private void statements(Side[] sides, MatchMode mode, boolean swapped, Scores scores) {
        Postings[] postings = {subjects, predicates, objects};
        int[] slots = {};
        Postings walked = subjects;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            if (sides[i].isAnything()) {
                continue;
            }
            int[] candidates = sides[i].slots(postings[i]);
            long count = 0;
            for (int slot : candidates) {
                count += postings[i].count(slot);
            }
            if (count < least) {
                least = count;
                slots = candidates;
                walked = postings[i];
            }
        }
        int[] advertised = new int[3];
        for (int slot : slots) {
            for (int i = 0; i < walked.count(slot); i++) {
                int tag = walked.tag(slot, i);
                if (gone.get(tag) || (swapped && !maySwap(tag, sides[1]))) {
                    continue;
                }
                advertised[0] = columns.subject[tag];
                advertised[1] = columns.predicate[tag];
                advertised[2] = columns.object[tag];
                scores.add(Score.three(sides, advertised, mode, tag, swapped));
            }
        }
    }

    /** A literal cannot be a subject; and where the predicate is open, one must exist that says the same swapped. */
    private boolean maySwap(int tag, Side predicate) {
        return !columns.literals.get(tag)
                && (!predicate.isAnything() || closure.hasNameSwapped(columns.predicate[tag]));
    }

    private Side side(Term term, MatchMode mode) {
        int node = term instanceof Iri iri ? closure.node(iri) : NO_CLASS;
        if (node < 0) {
            return ownSide(term, closure.terms());
        }
        Hierarchy terms = closure.terms();
        int exact = terms.classOf(node);
        return new Side(
                exact,
                mode == MatchMode.COVER ? Reach.NOTHING : terms.narrower(exact),
                mode == MatchMode.SPECIALISE ? Reach.NOTHING : terms.broader(exact));
    }

    private Side predicateSide(Iri term, MatchMode mode, boolean swapped) {
        int node = closure.node(term);
        if (node < 0) {
            return swapped ? new Side(NO_CLASS, Reach.NOTHING, Reach.NOTHING) : ownSide(term, closure.predicates());
        }
        Hierarchy predicateOrder = closure.predicates();
        int exact = predicateOrder.classOf(closure.predicateNode(node, swapped));
        return new Side(
                exact,
                mode == MatchMode.COVER ? Reach.NOTHING : predicateOrder.narrower(exact),
                mode == MatchMode.SPECIALISE ? Reach.NOTHING : predicateOrder.broader(exact));
    }

    private Side ownSide(Term term, Hierarchy hierarchy) {
        Integer own = columns.ownTerms.get(term.ntriples());
        return new Side(own == null ? NO_CLASS : hierarchy.classes() + own, Reach.NOTHING, Reach.NOTHING);
    }

    private void fill(int id, Tag tag) {
        columns.concept[id] = NO_CLASS;
        columns.subject[id] = NO_CLASS;
        columns.predicate[id] = NO_CLASS;
        columns.object[id] = NO_CLASS;
        if (tag instanceof Iri iri) {
            columns.concept[id] = termClass(iri);
        } else if (tag instanceof Statement statement) {
            columns.subject[id] = termClass(statement.subject());
            columns.predicate[id] = predicateClass(statement.predicate());
            columns.object[id] = termClass(statement.object());
            conceptOf(statement).ifPresent(concept -> columns.concept[id] = columns.object[id]);
            columns.literals.set(id, !(statement.object() instanceof Iri));
        }
    }

    /** The concept that a statement advertises. */
    static Optional<Iri> conceptOf(Statement statement) {
        return statement.predicate().equals(Statement.RDF_TYPE) && statement.object() instanceof Iri concept
                ? Optional.of(concept)
                : Optional.empty();
    }

    private int termClass(Term term) {
        int node = term instanceof Iri iri ? closure.node(iri) : NO_CLASS;
        return node >= 0 ? closure.terms().classOf(node) : closure.terms().classes() + ownTerm(term);
    }

    private int predicateClass(Iri term) {
        int node = closure.node(term);
        return node >= 0
                ? closure.predicates().classOf(closure.predicateNode(node, false))
                : closure.predicates().classes() + ownTerm(term);
    }

    private int ownTerm(Term term) {
        return columns.ownTerms.computeIfAbsent(term.ntriples(), ignored -> columns.ownTerms.size());
    }

    /** Scores as they are found; a tag that matched in two ways keeps the better one. */
    private static final class Scores {

        private long[] found = new long[32];
        private int size;
        private boolean hasOtherWay;

        void add(long score) {
            if (score == Score.NONE) {
                return;
            }
            if (size == found.length) {
                found = Arrays.copyOf(found, size * 2);
            }
            found[size++] = score;
            hasOtherWay |= Score.isOtherWay(score);
        }

        long[] bestFirst() {
            long[] sorted = Arrays.copyOf(found, size);
            Arrays.sort(sorted);
            if (!hasOtherWay) {
                return sorted;
            }
            BitSet seen = new BitSet();
            int kept = 0;
            for (long score : sorted) {
                if (!seen.get(Score.tag(score))) {
                    seen.set(Score.tag(score));
                    sorted[kept++] = score;
                }
            }
            return Arrays.copyOf(sorted, kept);
        }
    }
}
