// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.OntologyScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registry's ontologies, looked after from time to time; documents that have not changed are not fetched again. */
final class OntologyCopy {

    private static final Logger log = LoggerFactory.getLogger(OntologyCopy.class);

    private static final Duration SOON = Duration.ofMillis(200);
    /** How often documents of which the registry tells another version are looked at again before they come into force. */
    private static final int MISMATCHES_MAX = 10;

    private final ClientRuntime runtime;
    private final RegistryOntologies registry;
    private final Duration every;
    private final Executor compiling;
    private final Consumer<Closure> listener;
    private Map<String, Ontology> known = new HashMap<>();
    private OntologyScope scope = OntologyScope.EVERYTHING;
    private volatile Optional<String> version = Optional.empty();
    private int mismatches;
    /** What was compiled last, and the version that the registry told with it. */
    private Map<String, Ontology> seen = new HashMap<>();

    private String seenVersion = "";
    private volatile boolean closed;

    /**
     * @param compiling reads documents and compiles, and tells the listener
     * @param listener is told again where it fails
     */
    OntologyCopy(ClientRuntime runtime, Duration every, Executor compiling, Consumer<Closure> listener) {
        this.runtime = runtime;
        this.registry = new RegistryOntologies(runtime);
        this.every = every;
        this.compiling = compiling;
        this.listener = listener;
    }

    void start() {
        look();
    }

    private void look() {
        if (closed || runtime.isClosed()) {
            return;
        }
        CompletionStage<Boolean> looked = runtime.guard()
                .read((node, context) -> node.status(context))
                .thenCompose(status -> version.equals(Optional.of(status.ontologyVersion()))
                        ? CompletableFuture.completedFuture(true)
                        : fetched(status.ontologyVersion()));
        looked.whenComplete((done, error) -> {
            if (error != null) {
                log.debug("the registry's ontologies could not be looked at", error);
            }
            again(error == null && !done ? SOON : every);
        });
    }

    private void again(Duration pause) {
        closed |= !runtime.loops().after(pause, this::look);
    }

    /** @param told the version of the set that the registry infers with */
    private CompletionStage<Boolean> fetched(String told) {
        return registry.listing()
                .thenCompose(this::fetched)
                .thenApplyAsync(ontologies -> compiled(ontologies, told), compiling);
    }

    private static boolean isKnown(Map<String, Ontology> known, OntologyInfo info) {
        Ontology ontology = known.get(info.iri().value());
        return ontology != null && ontology.contentHash().equals(info.contentHash());
    }

    private CompletableFuture<List<Ontology>> fetched(List<OntologyInfo> infos) {
        Map<String, Ontology> before = known;
        CompletableFuture<List<Ontology>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (OntologyInfo info : infos) {
            all = all.thenCompose(so -> {
                Ontology ontology = before.get(info.iri().value());
                if (ontology != null && isKnown(before, info)) {
                    so.add(ontology);
                    return CompletableFuture.completedFuture(so);
                }
                return registry.getting(info.iri())
                        .thenApplyAsync(
                                document -> {
                                    so.add(SemanticIndex.parsed(document));
                                    return so;
                                },
                                compiling);
            });
        }
        return all;
    }

    /**
     * Puts documents into force, under the scope by which they come to the version that the registry tells: it is set there.
     *
     * @return whether they are in force; otherwise something has changed meanwhile, or differs between nodes
     */
    private boolean compiled(List<Ontology> ontologies, String told) {
        Map<String, Ontology> now = new HashMap<>();
        ontologies.forEach(ontology -> now.put(ontology.iri().value(), ontology));
        boolean isSeen = told.equals(seenVersion) && now.equals(seen) && version.isPresent();
        known = now;
        seen = now;
        seenVersion = told;
        if (isSeen) {
            return true; // nodes differ, and compiling again would not help
        }
        try {
            Closure closure = Closure.of(ontologies, scope);
            for (OntologyScope other : OntologyScope.values()) {
                if (!closure.version().equals(told) && other != scope) {
                    Closure under = Closure.of(ontologies, other);
                    if (under.version().equals(told)) {
                        closure = under;
                        scope = other;
                    }
                }
            }
            if (!closure.version().equals(told) && version.isEmpty() && mismatches++ < MISMATCHES_MAX) {
                return false;
            }
            if (!version.equals(Optional.of(closure.version()))) {
                listener.accept(closure);
                version = Optional.of(closure.version()); // once it was taken in
            }
        } catch (InvalidArgument e) {
            log.warn("the registry's ontologies can't be compiled here", e);
        }
        return true;
    }

    void close() {
        closed = true;
    }
}
