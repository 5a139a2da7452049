// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.Ontology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registry's ontologies, looked after from time to time; documents that have not changed are not fetched again. */
final class OntologyCopy {

    private static final Logger log = LoggerFactory.getLogger(OntologyCopy.class);

    private final ClientRuntime runtime;
    private final RegistryOntologies registry;
    private final Duration every;
    private final Executor compiling;
    private final Consumer<Closure> listener;
    private Map<String, Ontology> known = new HashMap<>();
    private Optional<String> version = Optional.empty();
    private volatile boolean closed;

    /** @param compiling reads documents and compiles */
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
        CompletionStage<Void> looked =
                registry.listing().thenCompose(this::fetched).thenAcceptAsync(this::compiled, compiling);
        looked.whenComplete((done, error) -> {
            if (error != null) {
                log.debug("the registry's ontologies could not be looked at", error);
            }
            again();
        });
    }

    private void again() {
        try {
            runtime.timer().after(every, this::look);
        } catch (RejectedExecutionException e) {
            closed = true; // the client is closed
        }
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

    private void compiled(List<Ontology> ontologies) {
        Map<String, Ontology> now = new HashMap<>();
        ontologies.forEach(ontology -> now.put(ontology.iri().value(), ontology));
        known = now;
        try {
            Closure closure = Closure.of(ontologies);
            if (version.isEmpty() || !version.get().equals(closure.version())) {
                version = Optional.of(closure.version());
                listener.accept(closure);
            }
        } catch (InvalidArgument e) {
            log.warn("the registry's ontologies can't be compiled here", e);
        }
    }

    void close() {
        closed = true;
    }
}
