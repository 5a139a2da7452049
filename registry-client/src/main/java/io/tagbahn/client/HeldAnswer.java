// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.MatchResult;
import io.tagbahn.semantics.TagIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one query, kept up to date: what matches follows from the copy of all tags, who carries it is watched.
 *
 * <p>Changed by one thread; read by any.
 */
final class HeldAnswer {

    private final ClientRuntime runtime;
    private final MatchQuery query;
    private final Executor thread;
    private final CompletableFuture<SemanticAnswer> first = new CompletableFuture<>();
    private volatile @Nullable SemanticAnswer answer;
    private volatile long usedNanos;
    private volatile boolean closed;

    // Of the thread only.
    private List<String> tags = List.of();
    private volatile List<Part> parts = List.of();
    private MatchResult result = new MatchResult(List.of(), List.of(), List.of());
    private String ontologyVersion = "";

    HeldAnswer(ClientRuntime runtime, MatchQuery query, Executor thread) {
        this.runtime = runtime;
        this.query = query;
        this.thread = thread;
        this.usedNanos = runtime.nanos().getAsLong();
    }

    /** Some of the tags, and who carries them. */
    private final class Part implements Watch.Told {
        private final Watch watch;
        private @Nullable TagPeers peers;

        Part(List<String> of) {
            this.watch = new Watch(runtime, new WatchedTarget.Tags(of), this);
        }

        @Override
        public void answer(Watched watched) {
            onThread(() -> {
                watched.tags().ifPresent(now -> peers = now);
                combine();
            });
        }

        @Override
        public void error(RegistryException error) {
            if (error instanceof InvalidArgument) {
                // Too much for one answer: this query is asked for each time.
                onThread(() -> first.completeExceptionally(error));
            }
        }
    }

    private void onThread(Runnable task) {
        try {
            thread.execute(() -> {
                if (!closed) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) {
            closed = true; // the copy is closed
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
        usedNanos = runtime.nanos().getAsLong();
        return Optional.ofNullable(answer);
    }

    /** The first answer, or the present one. */
    CompletableFuture<SemanticAnswer> first() {
        SemanticAnswer known = answer;
        return known == null ? first : CompletableFuture.completedFuture(known);
    }

    /** Infers anew; on the thread. */
    void refresh(TagIndex index) {
        if (closed) {
            return;
        }
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
        answer = now;
        first.complete(now);
    }

    void close() {
        closed = true;
        parts.forEach(part -> part.watch.close());
    }
}
