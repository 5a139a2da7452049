// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ontology;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ontologies that a node holds: read, kept on disk, and compiled into one closure that is replaced as a whole.
 *
 * <p>Everything that takes time runs on one executor, a document after the other; what is in force is read by any thread
 * through one reference.
 */
public final class OntologyShelf {

    private static final Logger log = LoggerFactory.getLogger(OntologyShelf.class);

    private final OntologyTerms terms;
    private final OntologyFiles files;
    private final Executor executor;
    private final OntologyParser parser;
    private volatile OntologySet present;
    private volatile Consumer<Closure> listener = closure -> {};
    private volatile boolean loaded;

    /** @param executor runs one task after the other, in their order; may refuse some */
    public OntologyShelf(OntologyTerms terms, OntologyFiles files, Executor executor) {
        this.terms = terms;
        this.files = files;
        this.executor = executor;
        this.parser = new OntologyParser(terms.document());
        this.present = OntologySet.empty(terms.scope());
    }

    /** Who is told of each new closure before it is in force, on the executor, and may take its time. */
    public void onClosure(Consumer<Closure> newListener) {
        listener = newListener;
    }

    public OntologyTerms terms() {
        return terms;
    }

    /** What is in force. */
    public OntologySet present() {
        return present;
    }

    /** Whether all that is kept on disk is in force. */
    public boolean isLoaded() {
        return loaded;
    }

    /**
     * Reads what is kept on disk. A document that can't be read, or that this version takes for none any more, is left
     * out, and told of.
     *
     * @throws UncheckedIOException at once where it can't be found out what is kept; the message says why
     */
    public CompletionStage<Void> load() {
        List<OntologyHead> kept;
        try {
            kept = files.load();
        } catch (IOException e) {
            throw new UncheckedIOException("the ontologies that are kept can't be read: " + e, e);
        }
        return submit(() -> {
            Map<OntologyHead, Optional<Ontology>> read = new HashMap<>();
            for (OntologyHead head : kept) {
                try {
                    read.put(head, read(head, head.isRemoved() ? new byte[0] : bytes(head)));
                } catch (RegistryException | IOException e) {
                    log.warn("the ontology {} is left out: {}", head.iri(), e.toString());
                }
            }
            if (!read.isEmpty()) {
                putInForce(read);
            }
            loaded = true;
            return null;
        });
    }

    private byte[] bytes(OntologyHead head) throws IOException {
        return files.read(head).orElseThrow(() -> new IOException("no document of " + head.iri()));
    }

    private Optional<Ontology> read(OntologyHead head, byte[] document) {
        if (head.isRemoved()) {
            return Optional.empty();
        }
        return Optional.of(parse(new Iri(head.iri()), RdfFormat.ofMediaType(head.mediaType()), document));
    }

    private Ontology parse(Iri iri, RdfFormat format, byte[] document) {
        return parser.parse(iri, format, document).condensed();
    }

    /**
     * Reads a document and compiles it with the others, and keeps nothing of it.
     *
     * @return fails with {@link InvalidArgument} where it is none, or there is no room for it
     */
    public CompletionStage<OntologyDraft> draft(Iri iri, RdfFormat format, Supplier<byte[]> document) {
        return submit(() -> {
            byte[] bytes = document.get();
            checkRoom(iri, bytes.length);
            Ontology ontology = parse(iri, format, bytes);
            OntologySet before = present;
            Map<String, Ontology> after =
                    before.ontologiesAfter(OntologyHead.removed(iri.value(), 0), Optional.of(ontology));
            return new OntologyDraft(
                    ontology, bytes, format, before.closure(), Closure.of(after.values(), terms.scope()));
        });
    }

    private void checkRoom(Iri iri, int bytes) {
        OntologySet set = present;
        Optional<OntologyHead> known = set.head(iri.value()).filter(head -> !head.isRemoved());
        if (known.isEmpty() && set.present().size() >= terms.documentsMax()) {
            throw new InvalidArgument(
                    "iri", "there are " + terms.documentsMax() + " ontologies, which is the most that are taken");
        }
        long others = set.bytes() - known.map(OntologyHead::bytes).orElse(0);
        if (others + bytes > terms.bytesMax()) {
            throw new InvalidArgument(
                    "document",
                    "the ontologies would have more than " + terms.bytesMax() + " bytes together, which is the most");
        }
    }

    /**
     * Takes in a change, unless something is known that stands over it; done when what is known is in force.
     *
     * @return whether anything changed; fails with {@link InvalidArgument} where the document is none
     */
    public CompletionStage<Boolean> take(OntologyHead head, byte[] document) {
        return take(head, document, () -> {});
    }

    /**
     * The same, where it is still wanted when its turn comes.
     *
     * @param admission is run first; what it throws ends the change
     */
    public CompletionStage<Boolean> take(OntologyHead head, byte[] document, Runnable admission) {
        return submit(() -> {
            admission.run();
            if (present.has(head)) {
                return false;
            }
            if (!head.isRemoved() && !ContentHash.of(document).equals(head.contentHash())) {
                throw new InvalidArgument("document", "is not what its hash says");
            }
            Optional<Ontology> ontology = read(head, document);
            try {
                files.write(head, document);
            } catch (IOException e) {
                throw new RegistryFault("the ontology can't be kept on disk: " + e.getMessage(), e);
            }
            Map<OntologyHead, Optional<Ontology>> change = new HashMap<>();
            change.put(head, ontology);
            putInForce(change);
            return true;
        });
    }

    private void putInForce(Map<OntologyHead, Optional<Ontology>> changes) {
        OntologySet next = present.with(changes, terms.scope());
        if (next.closure() != present.closure()) {
            listener.accept(next.closure());
        }
        present = next;
        changes.keySet()
                .forEach(head -> log.info(
                        "ontology {} is {} at version {}; the set is now {}",
                        head.iri(),
                        head.isRemoved() ? "removed" : "in force",
                        head.version(),
                        next.closure().version()));
    }

    /**
     * The document under an IRI.
     *
     * @return fails with {@link NotFound} where there is none
     */
    public CompletionStage<byte[]> document(OntologyHead head) {
        return submit(() -> {
            try {
                return files.read(head)
                        .orElseThrow(() -> new NotFound("no such version of " + head.iri() + " is held any more"));
            } catch (IOException e) {
                throw new RegistryFault("the ontology can't be read from disk: " + e.getMessage(), e);
            }
        });
    }

    /** Has something done in turn with documents. */
    public <T> CompletionStage<T> submit(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    done.complete(work.get());
                } catch (RegistryException e) {
                    done.completeExceptionally(e);
                } catch (RuntimeException | Error e) {
                    // An error as well: nobody else would tell the one who waits.
                    log.error("work on ontologies failed", e);
                    done.completeExceptionally(new RegistryFault("work on ontologies failed: " + e, e));
                }
            });
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(new Overloaded(
                    "too many ontologies are being worked on at this node", Signal.TRY_ELSEWHERE, Optional.of(RETRY)));
        }
        return done;
    }

    private static final Duration RETRY = Duration.ofSeconds(1);
}
