// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Match;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.MatchResult;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.OntologyScope;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.semantics.TagIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discovery by meaning, with the inference in the client, in the flow of the thesis (chapter 5): fetch all entries of the
 * registry, infer which of them satisfy the query, ask {@code tagDiscover} for the hosts of those.
 *
 * <pre>{@code
 * Ontology obras = new OntologyParser().parse(new Iri("http://example.org/obras"), RdfFormat.TURTLE, bytes);
 * SemanticIndex index = SemanticIndex.over(registry, obras);
 * index.discover("<http://example.org/obras#Obra>").matches();
 * }</pre>
 *
 * <p>The ontologies are read and compiled once, by Jena and on top of it; Jena has to be on the class path for this class
 * only. Entries are fetched for each query, or used again up to {@code inference.tagsMaxAge}; what has not changed since
 * the fetch before is not indexed again. Inference runs on the thread {@code tagbahn-client-inference}. Safe for use by
 * many threads.
 */
public final class SemanticIndex {

    private static final Logger log = LoggerFactory.getLogger(SemanticIndex.class);

    /** All entries of the registry as of one moment, compiled. */
    private record Snapshot(TagIndex index, Set<String> entries, boolean degraded, long fetchedAtNanos) {}

    private final ClientRuntime runtime;
    private final InferenceConfig config;
    private final Closure closure;
    private final Object lock = new Object();
    /** The newest snapshot, or the fetching of one that others may share; guarded by the lock. */
    private CompletableFuture<Snapshot> newest;

    private SemanticIndex(ClientRuntime runtime, Closure closure) {
        this.runtime = runtime;
        this.config = runtime.config().inference();
        this.closure = closure;
        Duration longAgo = config.tagsMaxAge().plusNanos(1);
        this.newest = CompletableFuture.completedFuture(new Snapshot(
                TagIndex.empty(closure), Set.of(), false, runtime.nanos().getAsLong() - longAgo.toNanos()));
    }

    /** Discovery through a client, over these ontologies; compiles them, which takes milliseconds to a second. */
    public static SemanticIndex over(RegistryClient client, Ontology... ontologies) {
        return over(client, List.of(ontologies));
    }

    /**
     * Discovery through a client, over these ontologies.
     *
     * @throws IllegalArgumentException where two of them have the same IRI
     */
    public static SemanticIndex over(RegistryClient client, Collection<Ontology> ontologies) {
        return over(client, Closure.of(ontologies));
    }

    /** Discovery through a client, over ontologies that are compiled already. */
    public static SemanticIndex over(RegistryClient client, Closure closure) {
        return new SemanticIndex(client.runtime(), closure);
    }

    /**
     * Discovery through a client, over the ontologies that the registry holds now; later changes of them are not followed.
     *
     * @throws RegistryException where they can't be had
     */
    public static SemanticIndex over(RegistryClient client) {
        OntologyParser parser = new OntologyParser();
        List<Ontology> ontologies = new ArrayList<>();
        for (OntologyInfo info : client.ontologies().list()) {
            OntologyDocument document = client.ontologies().get(info.iri());
            ontologies.add(parser.parse(info.iri(), RdfFormat.ofMediaType(document.mediaType()), document.document()));
        }
        return over(client, inScope(ontologies, client.status().ontologyVersion()));
    }

    /** The documents under the scope by which they come to a version; everything where they come to it under none. */
    private static Closure inScope(Collection<Ontology> ontologies, String version) {
        for (OntologyScope scope : OntologyScope.values()) {
            Closure closure = Closure.of(ontologies, scope);
            if (closure.version().equals(version)) {
                return closure;
            }
        }
        return Closure.of(ontologies);
    }

    static Ontology parsed(OntologyDocument document) {
        return new OntologyParser()
                .parse(document.info().iri(), RdfFormat.ofMediaType(document.mediaType()), document.document())
                .condensed();
    }

    /**
     * What the pattern asks for or a kind of it, explained.
     *
     * @param pattern a concept IRI, or a statement whose terms may be {@code *}
     * @throws InvalidArgument where the text is no pattern
     */
    public SemanticAnswer discover(String pattern) {
        return discover(MatchQuery.of(TagPattern.parse(pattern)).explained());
    }

    /**
     * The live instances whose tags answer a query.
     *
     * @throws RegistryException where the registry can't be asked; finding nothing is an answer without matches
     */
    public SemanticAnswer discover(MatchQuery query) {
        return runtime.awaitQuery(answer(query));
    }

    /** Without blocking, {@link #discover(MatchQuery)}. */
    public CompletionStage<SemanticAnswer> discoverAsync(MatchQuery query) {
        return runtime.callbacks().on(answer(query));
    }

    /** Identifies the set of ontologies. */
    public String ontologyVersion() {
        return closure.version();
    }

    private CompletableFuture<SemanticAnswer> answer(MatchQuery query) {
        QueryDeadline deadline = new QueryDeadline(runtime.nanos(), config);
        return snapshot(deadline)
                .thenCompose(snapshot -> inferred(snapshot, query)
                        .thenCompose(result -> new TagHosts(runtime, deadline)
                                .of(tags(result))
                                .thenApply(hosts -> answer(snapshot, result, hosts))));
    }

    // ------------------------------------------------------------ fetching

    private CompletableFuture<Snapshot> snapshot(QueryDeadline deadline) {
        synchronized (lock) {
            CompletableFuture<Snapshot> before = newest;
            boolean shared = !config.tagsMaxAge().isZero();
            if (shared && (!before.isDone() || isFresh(before))) {
                return before;
            }
            Optional<Snapshot> base = before.isDone() ? present(before) : Optional.empty();
            CompletableFuture<Snapshot> fetched = EntryPages.fetch(
                            runtime.guard(), Optional.empty(), config.entriesMax(), deadline)
                    .thenApplyAsync(page -> compiled(base, page, runtime.nanos().getAsLong()), runtime.inference());
            newest = fetched.exceptionallyCompose(
                    error -> base.map(CompletableFuture::completedFuture).orElseGet(() -> fetched));
            return fetched;
        }
    }

    private boolean isFresh(CompletableFuture<Snapshot> done) {
        return present(done)
                .filter(snapshot -> runtime.nanos().getAsLong() - snapshot.fetchedAtNanos()
                        <= config.tagsMaxAge().toNanos())
                .isPresent();
    }

    private static Optional<Snapshot> present(CompletableFuture<Snapshot> done) {
        return done.isCompletedExceptionally() ? Optional.empty() : Optional.of(done.join());
    }

    /** The index of the page's entries, made of the one before by what has changed. */
    private Snapshot compiled(Optional<Snapshot> base, NamesPage page, long now) {
        Set<String> entries = new HashSet<>(page.names());
        Set<String> before = base.map(Snapshot::entries).orElse(Set.of());
        TagIndex index = base.map(Snapshot::index)
                .orElseGet(() -> TagIndex.empty(closure))
                .with(tagsOf(entries, before), tagsOf(before, entries));
        return new Snapshot(index, entries, page.degraded(), now);
    }

    static List<Tag> tagsOf(Set<String> entries, Set<String> without) {
        List<Tag> tags = new ArrayList<>();
        for (String entry : entries) {
            if (!without.contains(entry)) {
                try {
                    tags.add(Tag.parse(entry));
                } catch (InvalidArgument e) {
                    // A registry of a later version may know kinds of tags that this one doesn't.
                    log.debug("left out an entry that is no tag", e);
                }
            }
        }
        return tags;
    }

    // ------------------------------------------------------------ inferring, and asking for hosts

    private CompletableFuture<MatchResult> inferred(Snapshot snapshot, MatchQuery query) {
        return CompletableFuture.completedFuture(snapshot)
                .thenApplyAsync(found -> found.index().match(query), runtime.inference());
    }

    static List<String> tags(MatchResult result) {
        return result.matches().stream().map(Match::tag).toList();
    }

    private SemanticAnswer answer(Snapshot snapshot, MatchResult result, TagPeers hosts) {
        return answer(result, hosts, closure.version(), snapshot.degraded());
    }

    /** Tags that nobody carries any more, since the entries were fetched, are left out. */
    static SemanticAnswer answer(MatchResult result, TagPeers hosts, String ontologyVersion, boolean degraded) {
        List<SemanticMatch> matches = new ArrayList<>();
        for (Match match : result.matches()) {
            List<Instance> instances = hosts.instances().getOrDefault(match.tag(), List.of());
            if (!instances.isEmpty()) {
                matches.add(new SemanticMatch(
                        match.tag(), match.degree(), match.distance(), match.explanation(), instances));
            }
        }
        return new SemanticAnswer(matches, ontologyVersion, degraded || hosts.degraded(), result.diagnostics());
    }
}
