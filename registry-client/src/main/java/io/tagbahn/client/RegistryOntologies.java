// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.Iri;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.model.RegistryException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The ontologies of a registry: documents that all its nodes hold, and under which it answers questions by meaning.
 *
 * <pre>{@code
 * registry.ontologies().put(OntologyFile.read(new Iri("http://example.org/obras"), Path.of("obras.ttl")));
 * }</pre>
 */
public final class RegistryOntologies {

    /** A large document takes a while to read and compile, on every node. */
    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(60);

    private final ClientRuntime runtime;
    private final Duration timeout;

    RegistryOntologies(ClientRuntime runtime) {
        this(runtime, TIMEOUT_DEFAULT);
    }

    private RegistryOntologies(ClientRuntime runtime, Duration timeout) {
        this.runtime = runtime;
        this.timeout = timeout;
    }

    /** The same, with another deadline for each call; 60 s by default. */
    public RegistryOntologies withTimeout(Duration newTimeout) {
        return new RegistryOntologies(runtime, newTimeout);
    }

    /**
     * Puts a document into force, in place of what there was under its IRI.
     *
     * @throws RegistryException InvalidArgument where it is no document, with line and column where they are known
     */
    public OntologyReceipt put(OntologyFile file) {
        return await(putting(file, false));
    }

    /** Without blocking, {@link #put}. */
    public CompletionStage<OntologyReceipt> putAsync(OntologyFile file) {
        return runtime.callbacks().on(putting(file, false));
    }

    /** Says what putting a document would change, and changes nothing. */
    public OntologyReceipt dryRun(OntologyFile file) {
        return await(putting(file, true));
    }

    /** Without blocking, {@link #dryRun}. */
    public CompletionStage<OntologyReceipt> dryRunAsync(OntologyFile file) {
        return runtime.callbacks().on(putting(file, true));
    }

    private CompletableFuture<OntologyReceipt> putting(OntologyFile file, boolean dryRun) {
        return call((node, context) -> node.meaning().putOntology(file, dryRun, context));
    }

    /**
     * A document as it was put.
     *
     * @throws RegistryException NotFound
     */
    public OntologyDocument get(Iri iri) {
        return await(getting(iri));
    }

    /** Without blocking, {@link #get}. */
    public CompletionStage<OntologyDocument> getAsync(Iri iri) {
        return runtime.callbacks().on(getting(iri));
    }

    CompletableFuture<OntologyDocument> getting(Iri iri) {
        return call((node, context) -> node.meaning().getOntology(iri, context));
    }

    /** All documents, in the order of their IRIs. */
    public List<OntologyInfo> list() {
        return await(listing());
    }

    /** Without blocking, {@link #list}. */
    public CompletionStage<List<OntologyInfo>> listAsync() {
        return runtime.callbacks().on(listing());
    }

    CompletableFuture<List<OntologyInfo>> listing() {
        return call((node, context) -> node.meaning().listOntologies(context));
    }

    /**
     * Takes a document out of force.
     *
     * @throws RegistryException NotFound
     */
    public void remove(Iri iri) {
        await(removing(iri));
    }

    /** Without blocking, {@link #remove}. */
    public CompletionStage<Void> removeAsync(Iri iri) {
        return runtime.callbacks().on(removing(iri));
    }

    private CompletableFuture<Void> removing(Iri iri) {
        return call((node, context) -> node.meaning().removeOntology(iri, context));
    }

    private <T> CompletableFuture<T> call(CallGuard.NodeCall<T> call) {
        return runtime.guard().call(timeout, Criticality.NORMAL, call);
    }

    private <T> T await(CompletableFuture<T> answer) {
        return Failures.await(answer, timeout);
    }
}
