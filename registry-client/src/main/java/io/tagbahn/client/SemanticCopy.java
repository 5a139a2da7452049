// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPattern;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.TagIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discovery by meaning out of a copy: all tags of the registry are kept here and inferred over, and so are the hosts for
 * what has been asked before, each kept up to date by calls that wait for changes. The flow of the thesis, at the speed of a
 * look into memory.
 *
 * <pre>{@code
 * try (SemanticCopy works = SemanticCopy.of(registry)) {
 *     works.discover("http://example.org/obras#Obra").matches(); // asks the registry for the hosts
 *     works.discover("http://example.org/obras#Obra").matches(); // asks nobody
 * }
 * }</pre>
 *
 * <p>Answers may be as old as a change takes to arrive here. Inference and compiling run on a thread of the copy's own,
 * {@code tagbahn-client-copy}. Safe for use by many threads; one copy for each process is enough.
 */
public final class SemanticCopy implements AutoCloseable {

    /** Queries of which the hosts are kept; past it, that of which the last use is longest ago is let go of. */
    static final int HELD_MAX = 1_000;

    /** Tasks that wait for the thread: one for all entries, one for the ontologies, some for each query. */
    private static final int WAITING_MAX = 10 * HELD_MAX;

    /** How often it is looked whether the registry's ontologies have changed. */
    private static final Duration ONTOLOGIES_EVERY = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(SemanticCopy.class);

    private final ClientRuntime runtime;
    private final ThreadPoolExecutor thread;
    private final EntryCopy entries;
    private final Optional<OntologyCopy> ontologies;
    private final Map<MatchQuery, HeldAnswer> held = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile TagIndex index;
    private volatile boolean hasEntries;
    private volatile boolean hasOntologies;

    private SemanticCopy(ClientRuntime runtime, Optional<Closure> given) {
        this.runtime = runtime;
        this.thread =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING_MAX), task -> {
                    Thread made = new Thread(task, "tagbahn-client-copy");
                    made.setDaemon(true);
                    return made;
                });
        this.index = TagIndex.empty(given.orElseGet(Closure::empty));
        this.hasOntologies = given.isPresent();
        this.entries = new EntryCopy(
                runtime.loops(),
                runtime.config().inference().entriesMax(),
                (added, removed) -> CompletableFuture.runAsync(() -> changed(added, removed), thread));
        this.ontologies = given.isPresent()
                ? Optional.empty()
                : Optional.of(new OntologyCopy(runtime, ONTOLOGIES_EVERY, thread, this::changed));
        entries.start();
        ontologies.ifPresent(OntologyCopy::start);
    }

    /** A copy that follows the registry's ontologies. It is filled from now on; the first answers wait for that. */
    public static SemanticCopy of(RegistryClient client) {
        return new SemanticCopy(client.runtime(), Optional.empty());
    }

    /** A copy over these ontologies, whatever those of the registry are. */
    public static SemanticCopy of(RegistryClient client, Collection<Ontology> ontologies) {
        return new SemanticCopy(client.runtime(), Optional.of(Closure.of(ontologies)));
    }

    // ------------------------------------------------------------ asking

    /**
     * What the pattern asks for or a kind of it, explained.
     *
     * @param pattern a concept IRI, or a statement whose terms may be {@code *}
     */
    public SemanticAnswer discover(String pattern) {
        return discover(MatchQuery.of(TagPattern.parse(pattern)).explained());
    }

    /**
     * The live instances whose tags answer a query.
     *
     * @throws RegistryException where it is not known here and the registry can't be asked
     */
    public SemanticAnswer discover(MatchQuery query) {
        HeldAnswer known = held.get(query);
        if (known != null) {
            Optional<SemanticAnswer> answer = known.answer();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return runtime.awaitQuery(asked(query));
    }

    /** Without blocking, {@link #discover(MatchQuery)}. */
    public CompletionStage<SemanticAnswer> discoverAsync(MatchQuery query) {
        return runtime.callbacks().on(asked(query));
    }

    private CompletableFuture<SemanticAnswer> asked(MatchQuery query) {
        return ready.thenCompose(done -> held(query).first())
                .exceptionallyCompose(error -> Failures.unwrap(error) instanceof InvalidArgument
                        ? askedForHosts(query)
                        : CompletableFuture.failedFuture(Failures.of(error)));
    }

    /** Where the hosts are too many to be watched. */
    private CompletableFuture<SemanticAnswer> askedForHosts(MatchQuery query) {
        QueryDeadline deadline =
                new QueryDeadline(runtime.nanos(), runtime.config().inference());
        TagIndex over = index;
        return CompletableFuture.supplyAsync(() -> over.match(query), thread)
                .thenCompose(result -> new TagHosts(runtime, deadline)
                        .of(SemanticIndex.tags(result))
                        .thenApply(hosts -> SemanticIndex.answer(
                                result, hosts, over.closure().version(), false)));
    }

    private HeldAnswer held(MatchQuery query) {
        HeldAnswer known = held.get(query);
        if (known != null) {
            return known;
        }
        makeRoom();
        return held.computeIfAbsent(query, fresh -> {
            HeldAnswer made = new HeldAnswer(runtime, query, thread, () -> index);
            made.refreshSoon();
            return made;
        });
    }

    private void makeRoom() {
        if (held.size() >= HELD_MAX) {
            held.values().stream()
                    .min(Comparator.comparingLong(HeldAnswer::usedNanos))
                    .ifPresent(oldest -> {
                        held.remove(oldest.query(), oldest);
                        oldest.close();
                    });
        }
    }

    /** Waits until all tags are here; false where that took longer. */
    public boolean awaitReady(Duration most) throws InterruptedException {
        try {
            ready.get(most.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("nothing fails it", e);
        }
    }

    /** How many tags are here, plain names not counted. */
    public int size() {
        return index.size();
    }

    /** Identifies the set of ontologies. */
    public String ontologyVersion() {
        return index.closure().version();
    }

    // ------------------------------------------------------------ following; on the copy's thread

    private void changed(List<String> added, List<String> removed) {
        index = index.with(
                SemanticIndex.tagsOf(Set.copyOf(added), Set.of()), SemanticIndex.tagsOf(Set.copyOf(removed), Set.of()));
        hasEntries = true;
        told();
    }

    private void changed(Closure closure) {
        index = index.on(closure);
        hasOntologies = true;
        log.debug("inferring with the ontologies {}", closure.version());
        told();
    }

    private void told() {
        if (hasEntries && hasOntologies) {
            ready.complete(null);
            new ArrayList<>(held.values()).forEach(each -> each.refresh(index));
        }
    }

    /** Follows the registry no longer. */
    @Override
    public void close() {
        entries.close();
        ontologies.ifPresent(OntologyCopy::close);
        held.values().forEach(HeldAnswer::close);
        thread.shutdownNow();
    }
}
