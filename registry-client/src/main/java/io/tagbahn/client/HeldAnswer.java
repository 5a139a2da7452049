// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Freshness;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.MatchResult;
import io.tagbahn.semantics.TagIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer to one query, kept up to date: what matches follows from the copy of all tags, who carries it is watched.
 *
 * <p>Changed by one thread; read by any.
 */
final class HeldAnswer {

    private static final Logger log = LoggerFactory.getLogger(HeldAnswer.class);

    private final ClientRuntime runtime;
    private final MatchQuery query;
    private final ExecutorService thread;
    private final Coalesced refreshing;
    private final CompletableFuture<SemanticAnswer> first = new CompletableFuture<>();
    private volatile @Nullable SemanticAnswer answer;
    /** Why who carries the tags can't be watched. */
    private volatile @Nullable RegistryException refusal;

    private volatile long usedNanos;
    private volatile boolean closed;

    // Of the thread only.
    private List<String> tags = List.of();
    private volatile List<Part> parts = List.of();
    private MatchResult result = new MatchResult(List.of(), List.of(), List.of());
    private String ontologyVersion = "";

    /** @param index what is to be inferred over at the moment */
    HeldAnswer(ClientRuntime runtime, MatchQuery query, ExecutorService thread, Supplier<TagIndex> index) {
        this.runtime = runtime;
        this.query = query;
        this.thread = thread;
        this.refreshing = new Coalesced(thread, runtime.timer(), () -> refresh(index.get()));
        this.usedNanos = runtime.nanos().getAsLong();
    }

    /** Some of the tags, and who carries them. */
    private final class Part implements Watch.Told {
        private final Watch watch;
        private final Coalesced combining = new Coalesced(thread, runtime.timer(), this::take);
        private volatile @Nullable TagPeers arrived;
        private volatile @Nullable RegistryException refused;
        /** When the registry was heard of last, and whether it can't be asked since. */
        private volatile long heardNanos = runtime.nanos().getAsLong();

        private volatile boolean unheard;
        private @Nullable TagPeers peers;

        Part(List<String> of) {
            this.watch = new Watch(runtime.loops(), new WatchedTarget.Tags(of), this);
        }

        @Override
        public void answer(Watched watched) {
            heardNanos = runtime.nanos().getAsLong();
            unheard = false;
            watched.tags().ifPresent(now -> {
                arrived = now;
                combining.ask();
            });
        }

        @Override
        public void error(RegistryException error) {
            if (error instanceof InvalidArgument) {
                refused = error;
                combining.ask();
            } else {
                unheard = true;
            }
        }

        @Override
        public void closed() {
            combining.end();
        }

        /** On the thread. */
        private void take() {
            RegistryException tooMuch = refused;
            if (closed || !parts.contains(this)) {
                return;
            }
            if (tooMuch == null) {
                peers = arrived;
                combine();
            } else {
                refuse(tooMuch); // too much for one answer: this query is asked for each time
            }
        }
    }

    MatchQuery query() {
        return query;
    }

    /** When it was read last. */
    long usedNanos() {
        return usedNanos;
    }

    /** The answer, where it is known. */
    Optional<SemanticAnswer> answer() {
        long now = runtime.nanos().getAsLong();
        usedNanos = now;
        return Optional.ofNullable(answer).map(known -> aged(known, now));
    }

    /** The answer, marked with its age where the registry can't be asked whether it still holds. */
    private SemanticAnswer aged(SemanticAnswer known, long now) {
        long unheardNanos = parts.stream()
                .filter(part -> part.unheard)
                .mapToLong(part -> now - part.heardNanos)
                .max()
                .orElse(-1);
        return unheardNanos < 0 ? known : known.aged(true, new Freshness(Duration.ofNanos(unheardNanos), true));
    }

    /** The first answer, or the present one. */
    CompletableFuture<SemanticAnswer> first() {
        RegistryException tooMuch = refusal;
        SemanticAnswer known = answer;
        return tooMuch != null
                ? CompletableFuture.failedFuture(tooMuch)
                : known == null
                        ? first
                        : CompletableFuture.completedFuture(
                                aged(known, runtime.nanos().getAsLong()));
    }

    /** Has it inferred anew, soon. */
    void refreshSoon() {
        refreshing.ask();
    }

    /** Infers anew; on the thread. What fails here fails for this query alone. */
    void refresh(TagIndex index) {
        try {
            if (!closed) {
                infer(index);
            }
        } catch (RuntimeException e) {
            log.warn("an answer could not be brought up to date", e);
            refuse(Failures.of(e));
        }
    }

    private void refuse(RegistryException why) {
        refusal = why;
        answer = null;
        first.completeExceptionally(why);
    }

    private void infer(TagIndex index) {
        result = index.match(query);
        ontologyVersion = index.closure().version();
        List<String> matching = SemanticIndex.tags(result);
        if (!matching.equals(tags) || parts.isEmpty()) {
            tags = matching;
            parts.forEach(part -> part.watch.close());
            List<Part> fresh = new ArrayList<>();
            if (!matching.isEmpty()) {
                TagHosts.parts(runtime, matching).forEach(some -> fresh.add(new Part(some)));
            }
            parts = fresh;
            fresh.forEach(part -> part.watch.start());
        }
        if (parts.stream().allMatch(part -> part.refused == null)) {
            refusal = null;
        }
        combine();
    }

    private void combine() {
        TagPeers all = new TagPeers(Map.of(), false);
        for (Part part : parts) {
            TagPeers peers = part.peers;
            if (peers == null) {
                return; // what is known stands until all is here
            }
            all = TagHosts.union(all, peers);
        }
        SemanticAnswer now = SemanticIndex.answer(result, all, ontologyVersion, false);
        if (refusal == null) {
            answer = now;
            first.complete(now);
        }
    }

    void close() {
        closed = true;
        refreshing.end();
        parts.forEach(part -> part.watch.close());
    }
}
