// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyEffect;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.ontology.OntologyDraft;
import io.tagbahn.server.ontology.OntologySet;
import io.tagbahn.server.ontology.OntologyShelf;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** The front door of a node for ontologies, beside {@link RegistryService}, through which every call is admitted. */
public final class OntologyService {

    static final Duration PUT_DEADLINE_DEFAULT = Duration.ofSeconds(60);

    private static final Duration NOT_READY_RETRY = Duration.ofSeconds(1);

    /** Documents that are unpacked and not in force yet: each may be as large as one may be, and what it compiles to. */
    static final int DRAFTS_MAX = 2;

    private static final Duration DRAFTS_RETRY = Duration.ofMillis(500);

    /** Most warnings in one receipt. */
    static final int WARNINGS_MAX = 100;

    private final RegistryService registry;
    private final Supplier<Cluster> cluster;
    private final ServiceLimits limits;
    private final InstantSource clock;
    private final Semaphore drafts = new Semaphore(DRAFTS_MAX);
    /** The versions of changes that have been admitted and have not ended: the last one of each document. */
    private final Map<Iri, Long> changing = new ConcurrentHashMap<>();

    public OntologyService(
            RegistryService registry, Supplier<Cluster> cluster, ServiceLimits limits, InstantSource clock) {
        this.registry = registry;
        this.cluster = cluster;
        this.limits = limits;
        this.clock = clock;
    }

    private OntologyShelf shelf() {
        if (!cluster.get().knowsOntologies()) {
            throw new NotReady("the node is still getting its ontologies", Optional.of(NOT_READY_RETRY));
        }
        return cluster.get().meaning().shelf();
    }

    /**
     * Puts a document into force on all nodes that can be reached, in place of what there was under its IRI.
     *
     * @return fails with {@link InvalidArgument}, the reason with line and column where they are known
     */
    public CompletionStage<OntologyReceipt> put(OntologyPut put, CallContext context) {
        return registry.admitted(context, PUT_DEADLINE_DEFAULT, deadlineNanos -> {
            Packing.check(put.contentEncoding());
            RdfFormat format = RdfFormat.ofMediaType(put.mediaType());
            OntologyShelf shelf = shelf();
            if (!drafts.tryAcquire()) {
                throw new Overloaded(
                        DRAFTS_MAX + " ontologies are being worked on at this node, which is the most",
                        Signal.RETRY_AFTER,
                        Optional.of(DRAFTS_RETRY));
            }
            long version = nextVersion(put.iri());
            return ended(() -> put(put, format, shelf, version, deadlineNanos), () -> {
                changing.remove(put.iri(), version);
                drafts.release();
            });
        });
    }

    /** Runs what ends a change once it has ended, however that was. */
    private static <T> CompletionStage<T> ended(Supplier<CompletionStage<T>> change, Runnable end) {
        CompletionStage<T> done;
        try {
            done = change.get();
        } catch (RuntimeException | Error e) {
            end.run();
            throw e;
        }
        return done.whenComplete((result, error) -> end.run());
    }

    private CompletionStage<OntologyReceipt> put(
            OntologyPut put, RdfFormat format, OntologyShelf shelf, long version, long deadlineNanos) {
        int bytesMax = shelf.terms().document().bytesMax();
        return shelf.draft(put.iri(), format, () -> {
                    registry.checkTime(deadlineNanos);
                    return Packing.unpacked(put.document(), put.contentEncoding(), bytesMax);
                })
                .thenCompose(draft -> new OntologyReview(cluster.get(), draft, deadlineNanos)
                        .look(put.dryRun())
                        .thenCompose(review ->
                                put.dryRun() ? dry(draft, review) : inForce(version, draft, review, deadlineNanos)));
    }

    private CompletionStage<OntologyReceipt> dry(OntologyDraft draft, OntologyReview.Review review) {
        long version = shelf().present()
                .head(draft.ontology().iri().value())
                .map(OntologyHead::version)
                .orElse(0L);
        return CompletableFuture.completedFuture(
                receipt(draft.ontology(), version, review.warnings(), Optional.of(review.effect())));
    }

    private CompletionStage<OntologyReceipt> inForce(
            long version, OntologyDraft draft, OntologyReview.Review review, long deadlineNanos) {
        OntologyHead head = new OntologyHead(
                draft.ontology().iri().value(),
                version,
                draft.ontology().contentHash(),
                draft.format().mediaType(),
                draft.document().length);
        Runnable admission = () -> registry.checkTime(deadlineNanos);
        return cluster.get()
                .spread(head, draft.document(), admission, deadlineNanos)
                .thenApply(missing -> {
                    List<String> warnings = new ArrayList<>(review.warnings());
                    if (!shelf().present().head(head.iri()).equals(Optional.of(head))) {
                        warnings.add("not in force: a change that came later has taken its place");
                    }
                    if (!missing.isEmpty()) {
                        warnings.add("not in force yet at " + String.join(", ", missing)
                                + ", which could not be reached or could not take it; they are told again");
                    }
                    return receipt(draft.ontology(), head.version(), warnings, Optional.empty());
                });
    }

    /**
     * Given when a change is admitted, so that of two the one that began later stands however long they take. Above what is
     * known here and not below the clock: two nodes that put at once come to one order.
     */
    private long nextVersion(Iri iri) {
        long known =
                shelf().present().head(iri.value()).map(OntologyHead::version).orElse(0L);
        return changing.merge(iri, Math.max(known + 1, clock.millis()), (last, least) -> Math.max(last + 1, least));
    }

    private static OntologyReceipt receipt(
            Ontology ontology, long version, List<String> warnings, Optional<OntologyEffect> effect) {
        List<String> told = warnings;
        if (warnings.size() > WARNINGS_MAX) {
            told = new ArrayList<>(warnings.subList(0, WARNINGS_MAX));
            told.add("and " + (warnings.size() - WARNINGS_MAX) + " more warnings");
        }
        return new OntologyReceipt(info(ontology, version), told, effect);
    }

    private static OntologyInfo info(Ontology ontology, long version) {
        return new OntologyInfo(
                ontology.iri(),
                ontology.contentHash(),
                version,
                ontology.triples(),
                ontology.concepts(),
                ontology.properties());
    }

    private static OntologyInfo info(OntologySet set, OntologyHead head) {
        return info(Objects.requireNonNull(set.ontologies().get(head.iri()), head.iri()), head.version());
    }

    /**
     * Takes a document out of force on all nodes that can be reached.
     *
     * @return fails with {@link NotFound}
     */
    public CompletionStage<Void> remove(Iri iri, CallContext context) {
        return registry.admitted(context, PUT_DEADLINE_DEFAULT, deadlineNanos -> {
            head(iri);
            long version = nextVersion(iri);
            return ended(
                    () -> cluster.get()
                            .spread(
                                    OntologyHead.removed(iri.value(), version),
                                    new byte[0],
                                    () -> registry.checkTime(deadlineNanos),
                                    deadlineNanos)
                            .thenAccept(missing -> {}),
                    () -> changing.remove(iri, version));
        });
    }

    private OntologyHead head(Iri iri) {
        return shelf().present()
                .head(iri.value())
                .filter(head -> !head.isRemoved())
                .orElseThrow(() -> new NotFound("there is no ontology " + iri.value()));
    }

    /** A document, with the encoding in which it is. */
    public record Packed(OntologyDocument document, Optional<String> contentEncoding) {}

    /**
     * The document under an IRI, as it was put.
     *
     * @param gzip whether the caller takes it packed
     * @return fails with {@link NotFound}, and with {@link Overloaded} where it is too long for a message
     */
    public CompletionStage<Packed> get(Iri iri, boolean gzip, CallContext context) {
        return registry.admitted(context, PUT_DEADLINE_DEFAULT, deadlineNanos -> {
            OntologyHead head = head(iri);
            OntologyInfo info = info(shelf().present(), head);
            return shelf().document(head).thenApply(document -> {
                byte[] sent = gzip ? Packing.packed(document) : document;
                if (sent.length > limits.answerBytesMax()) {
                    throw new Overloaded(
                            "the document has " + sent.length + " bytes, and an answer " + limits.answerBytesMax()
                                    + " at most" + (gzip ? "" : ": ask for it packed with gzip"),
                            Signal.STOP,
                            Optional.empty());
                }
                return new Packed(
                        new OntologyDocument(info, sent, head.mediaType()),
                        gzip ? Optional.of(Packing.GZIP) : Optional.empty());
            });
        });
    }

    /** All documents, in the order of their IRIs. */
    public CompletionStage<List<OntologyInfo>> list(CallContext context) {
        return registry.read(context, deadlineNanos -> {
            OntologySet set = shelf().present();
            return CompletableFuture.completedFuture(
                    set.present().stream().map(head -> info(set, head)).toList());
        });
    }
}
