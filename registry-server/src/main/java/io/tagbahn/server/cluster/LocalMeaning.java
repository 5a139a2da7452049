// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Match;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.peer.MatchQuestion;
import io.tagbahn.peer.Matched;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.peer.OntologyHeads;
import io.tagbahn.semantics.MatchResult;
import io.tagbahn.semantics.TagIndex;
import io.tagbahn.server.changes.Changes;
import io.tagbahn.server.ontology.OntologySet;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.Utf8;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** This node as a place where tags are matched, for itself and for the others. */
final class LocalMeaning implements MeaningReplica {

    /** What a match takes besides its texts and instances. */
    private static final int MATCH_BYTES = 64;

    private static final int TEXT_BYTES = 8;

    private final Meaning meaning;
    private final LocalReplica replica;
    private final ClusterState state;
    private final OntologySpread spread;
    private final Timer timer;
    private final LongSupplier ticker;

    LocalMeaning(
            Meaning meaning,
            LocalReplica replica,
            ClusterState state,
            OntologySpread spread,
            Timer timer,
            LongSupplier ticker) {
        this.meaning = meaning;
        this.replica = replica;
        this.state = state;
        this.spread = spread;
        this.timer = timer;
        this.ticker = ticker;
    }

    @Override
    public CompletionStage<Matched<Peer>> match(MatchQuestion question, long deadlineNanos) {
        if (!spread.isReady()) {
            return CompletableFuture.failedFuture(
                    new NotReady("the node is still getting its ontologies", Optional.of(Duration.ofSeconds(1))));
        }
        return meaning.submit(() -> {
            if (deadlineNanos - ticker.getAsLong() <= 0) {
                throw new Overloaded("the call waited past its deadline", Signal.TRY_ELSEWHERE, Optional.empty());
            }
            return matched(question);
        });
    }

    private Matched<Peer> matched(MatchQuestion question) {
        // What is covered has to be looked up first: what is filled in between would be missing.
        Coverage coverage = state.coverage();
        NodeView node = state.node();
        ClusterView view = state.view();
        boolean check = state.mayHoldOthers();
        TagIndex index = meaning.index();
        String version = index.closure().version();
        if (!question.accepts(version)) {
            return new Matched<>(node, version, List.of(), List.of(), List.of());
        }
        List<Matched.Found<Peer>> found = new ArrayList<>();
        long[] bytes = new long[1];
        MatchResult result = Meaning.counting(index, question.query(), match -> {
            // Where rings differ between nodes for a while, the asker may mean another one than this node reads.
            if (check && !view.ownsForWrites(match.tag())) {
                return false;
            }
            List<Peer> peers = new ArrayList<>(1);
            replica.forEachPeer(match.tag(), peers::add);
            if (peers.isEmpty()) {
                return false;
            }
            bytes[0] += bytes(match, peers);
            if (bytes[0] > meaning.answerBytesMax()) {
                throw meaning.tooLong();
            }
            found.add(new Matched.Found<>(match, peers, coverage.covers(match.tag())));
            return true;
        });
        return new Matched<>(node, version, found, result.diagnostics(), result.nearMisses());
    }

    static long bytes(Match match, List<Peer> peers) {
        long bytes = Utf8.length(match.tag());
        bytes += MATCH_BYTES;
        for (Peer peer : peers) {
            bytes += peer.encodedBytesMax();
        }
        for (String axiom : match.explanation()) {
            bytes += Utf8.length(axiom);
            bytes += TEXT_BYTES;
        }
        return bytes;
    }

    @Override
    public CompletionStage<LoggedChanges> changes(
            Changes.Log log, Optional<LogPosition> since, int limit, Duration wait, long deadlineNanos) {
        Changes changes = meaning.changes();
        Changes.Read read = changes.read(log, since, limit);
        long untilNanos = ticker.getAsLong() + wait.toNanos();
        if (isWorthTelling(read, since) || wait.isZero()) {
            return CompletableFuture.completedFuture(told(read));
        }
        return awaited(log, since, limit, untilNanos);
    }

    private static boolean isWorthTelling(Changes.Read read, Optional<LogPosition> since) {
        return since.isEmpty() || read.reset() || !read.changes().isEmpty();
    }

    private LoggedChanges told(Changes.Read read) {
        return new LoggedChanges(state.node(), read.next(), read.reset(), read.changes());
    }

    private CompletionStage<LoggedChanges> awaited(
            Changes.Log log, Optional<LogPosition> since, int limit, long untilNanos) {
        Changes changes = meaning.changes();
        CompletableFuture<Boolean> woken = changes.next().toCompletableFuture();
        Changes.Read read = changes.read(log, since, limit); // what came before the wait began
        long leftNanos = untilNanos - ticker.getAsLong();
        if (isWorthTelling(read, since) || leftNanos <= 0) {
            changes.forget(woken);
            return CompletableFuture.completedFuture(told(read));
        }
        Timer.Scheduled end = timer.after(Duration.ofNanos(leftNanos), () -> {
            changes.forget(woken);
            woken.complete(false);
        });
        return woken.whenComplete((more, error) -> end.cancel())
                .thenCompose(more -> awaited(log, since, limit, untilNanos));
    }

    @Override
    public CompletionStage<OntologyHeads> ontologies(String digest, long deadlineNanos) {
        if (!meaning.shelf().isLoaded()) {
            return CompletableFuture.failedFuture(
                    new NotReady("the node is still reading its ontologies", Optional.of(Duration.ofSeconds(1))));
        }
        OntologySet set = meaning.shelf().present();
        List<OntologyHead> heads = set.digest().equals(digest)
                ? List.of()
                : List.copyOf(set.heads().values());
        return CompletableFuture.completedFuture(new OntologyHeads(state.node(), set.digest(), heads));
    }

    @Override
    public CompletionStage<byte[]> ontologyPart(OntologyHead head, int offset, long deadlineNanos) {
        if (head.isRemoved()) {
            return CompletableFuture.failedFuture(new NotFound(head.iri() + " was removed"));
        }
        return spread.bytes(head).thenApply(document -> {
            if (offset < 0 || offset > document.length) {
                throw new InvalidArgument("offset", offset + " is not within 0.." + document.length);
            }
            return Arrays.copyOfRange(
                    document, offset, (int) Math.min(document.length, (long) offset + OntologySpread.PART_BYTES));
        });
    }

    @Override
    public CompletionStage<Boolean> ontologyChanged(String asker, OntologyHead head, long deadlineNanos) {
        return spread.fetch(asker, head, deadlineNanos);
    }
}
