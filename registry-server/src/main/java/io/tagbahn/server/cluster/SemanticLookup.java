// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Match;
import io.tagbahn.model.Overloaded;
import io.tagbahn.peer.MatchQuestion;
import io.tagbahn.peer.Matched;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.store.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * One question by meaning: a smallest set of nodes that hold all tags between them is asked, each infers over its own, and
 * what they find is merged.
 *
 * <p>All answers are to come from the same set of ontologies. While a change spreads nodes differ for a moment, and are
 * asked again; where they differ for longer, the answer says so.
 */
final class SemanticLookup {

    private static final Duration AGAIN = Duration.ofMillis(25);
    /** How long nodes may differ before their answers are put together all the same. */
    private static final Duration DIFFERING_MAX = Duration.ofSeconds(2);

    private static final int DIAGNOSTICS_MAX = 20;

    private static final Comparator<FoundMatches.Found> BEST_FIRST =
            Comparator.comparing(FoundMatches.Found::match, Match.BEST_FIRST);

    private final MatchQuery query;
    private final Meaning meaning;
    private final ClusterState state;
    private final Peers peers;
    private final Timer timer;
    private final LongSupplier ticker;
    private final long deadlineNanos;
    private final long patientUntilNanos;

    SemanticLookup(
            MatchQuery query,
            Meaning meaning,
            ClusterState state,
            Peers peers,
            Timer timer,
            LongSupplier ticker,
            long deadlineNanos) {
        this.query = query;
        this.meaning = meaning;
        this.state = state;
        this.peers = peers;
        this.timer = timer;
        this.ticker = ticker;
        this.deadlineNanos = deadlineNanos;
        long nowNanos = ticker.getAsLong();
        this.patientUntilNanos = nowNanos + Math.min(DIFFERING_MAX.toNanos(), (deadlineNanos - nowNanos) / 2);
    }

    CompletionStage<FoundMatches> find() {
        String version = meaning.closure().version();
        return ask(version).thenCompose(answers -> {
            Collection<Matched<Peer>> all = answers.byNode().values();
            if (all.stream().allMatch(answer -> answer.ontologyVersion().equals(version))) {
                return CompletableFuture.completedFuture(merged(answers, version, false));
            }
            if (ticker.getAsLong() - patientUntilNanos < 0) {
                CompletableFuture<FoundMatches> later = new CompletableFuture<>();
                timer.after(
                        AGAIN,
                        () -> find().whenComplete((found, error) -> {
                            if (error == null) {
                                later.complete(found);
                            } else {
                                later.completeExceptionally(Settled.cause(error));
                            }
                        }));
                return later;
            }
            return ask("").thenApply(mixed -> merged(mixed, version, true));
        });
    }

    private CompletionStage<Covering.Answers<Matched<Peer>>> ask(String version) {
        MatchQuestion question = new MatchQuestion(query, version);
        return new Covering<>(
                        state.view(),
                        peers,
                        replica -> replica.meaning().match(question, deadlineNanos),
                        Matched<Peer>::node,
                        error -> error instanceof InvalidArgument || error instanceof Overloaded)
                .ask();
    }

    private FoundMatches merged(Covering.Answers<Matched<Peer>> answers, String version, boolean mixed) {
        Map<String, Matched<Peer>> counted = new LinkedHashMap<>(answers.byNode());
        if (!answers.whole().isEmpty()) {
            // What only others have left over is gone.
            counted.keySet().retainAll(answers.whole());
        }
        Collection<Matched<Peer>> all = counted.values();
        List<FoundMatches.Found> found = all.size() == 1 ? only(all.iterator().next()) : united(all);
        checkSize(found);
        Set<String> diagnostics = new LinkedHashSet<>();
        Set<String> nearMisses = new HashSet<>();
        for (Matched<Peer> answer : all) {
            diagnostics.addAll(answer.diagnostics());
            nearMisses.addAll(answer.nearMisses());
        }
        if (!found.isEmpty()) {
            diagnostics.removeAll(nearMisses);
        }
        List<String> told = new ArrayList<>(diagnostics);
        if (told.size() > DIAGNOSTICS_MAX) {
            told.subList(DIAGNOSTICS_MAX, told.size()).clear();
        }
        if (mixed) {
            told.add("nodes of the registry infer with different sets of ontologies at the moment");
        }
        return new FoundMatches(found, version, answers.degraded() || mixed, told, Set.copyOf(counted.keySet()));
    }

    private static List<FoundMatches.Found> only(Matched<Peer> answer) {
        List<FoundMatches.Found> found = new ArrayList<>(answer.found().size());
        for (Matched.Found<Peer> each : answer.found()) {
            found.add(new FoundMatches.Found(each.match(), each.peers()));
        }
        return found;
    }

    private List<FoundMatches.Found> united(Collection<Matched<Peer>> answers) {
        Map<String, Matched.Found<Peer>> byTag = new HashMap<>();
        for (Matched<Peer> answer : answers) {
            for (Matched.Found<Peer> found : answer.found()) {
                byTag.merge(found.match().tag(), found, SemanticLookup::better);
            }
        }
        List<FoundMatches.Found> all = new ArrayList<>(byTag.size());
        byTag.values().forEach(found -> all.add(new FoundMatches.Found(found.match(), found.peers())));
        all.sort(BEST_FIRST);
        return all.size() <= query.limit() ? all : new ArrayList<>(all.subList(0, query.limit()));
    }

    /** A node that holds all of a tag is right; where none does, they are right together. */
    private static Matched.Found<Peer> better(Matched.Found<Peer> one, Matched.Found<Peer> other) {
        if (one.whole() || other.whole()) {
            return one.whole() ? one : other;
        }
        List<Peer> peers = new ArrayList<>(one.peers());
        Set<InstanceId> known = new HashSet<>();
        peers.forEach(peer -> known.add(peer.instance().id()));
        for (Peer peer : other.peers()) {
            if (known.add(peer.instance().id())) {
                peers.add(peer);
            }
        }
        return new Matched.Found<>(one.match(), peers, false);
    }

    private void checkSize(List<FoundMatches.Found> found) {
        long bytes = 0;
        for (FoundMatches.Found each : found) {
            bytes += LocalMeaning.bytes(each.match(), each.peers());
        }
        if (bytes > meaning.answerBytesMax()) {
            throw meaning.tooLong();
        }
    }
}
