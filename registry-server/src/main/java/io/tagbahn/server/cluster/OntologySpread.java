// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NotReady;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.peer.OntologyHeads;
import io.tagbahn.server.ontology.OntologySet;
import io.tagbahn.server.ontology.OntologyShelf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How documents get to every node: a change is told to all that can be reached, who fetch it; and nodes compare what they
 * know with each other from time to time, for those that could not.
 *
 * <p>Changes of one IRI are ordered the same everywhere, so that nodes come to the same set in whatever order they hear.
 */
final class OntologySpread {

    /** Bytes of one part of a document: it has to fit into a message. */
    static final int PART_BYTES = 1 << 20;

    /** While this node doesn't know yet what is in force; twice as long after each time, up to {@link #RETRY}. */
    private static final Duration UNTIL_KNOWN = Duration.ofMillis(50);

    /** Nodes that are asked at a time: so that comparing costs a node the same however many there are. */
    private static final int ASKED_MAX = 3;

    private static final Duration RETRY = Duration.ofMillis(500);
    /** For a document on its way, all its parts. */
    private static final Duration FETCH = Duration.ofSeconds(60);

    private static final Logger log = LoggerFactory.getLogger(OntologySpread.class);

    private final OntologyShelf shelf;
    private final ClusterState state;
    private final Duration interval;
    private final Duration peerTimeout;
    private final Timer timer;
    private final LongSupplier ticker;
    private final RandomGenerator random;
    private final Map<OntologyHead, CompletionStage<Boolean>> fetching = new ConcurrentHashMap<>();
    private volatile @Nullable Peers peers;
    private volatile boolean compared;
    /** Of one round after the other. */
    private volatile Duration untilKnown = UNTIL_KNOWN;

    private volatile boolean closed;
    /** The document that was asked for last: parts of one are asked for one after the other. */
    private final AtomicReference<@Nullable Kept> last = new AtomicReference<>();

    private record Kept(OntologyHead head, CompletableFuture<byte[]> document) {}

    OntologySpread(
            OntologyShelf shelf,
            ClusterState state,
            ClusterConfig config,
            Timer timer,
            LongSupplier ticker,
            RandomGenerator random) {
        this.shelf = shelf;
        this.state = state;
        this.interval = config.repairInterval();
        this.peerTimeout = config.peerTimeout();
        this.timer = timer;
        this.ticker = ticker;
        this.random = random;
    }

    void start(Peers reached) {
        peers = reached;
        timer.after(Duration.ZERO, this::round);
    }

    /** Whether this node knows what is in force: its own documents, and those of a node that was there before it. */
    boolean isReady() {
        return shelf.isLoaded() && (compared || state.view().isAlone());
    }

    private Optional<MeaningReplica> peer(String node) {
        Peers known = peers;
        return known == null ? Optional.empty() : known.get(node, state.view()).map(Replica::meaning);
    }

    private List<String> others() {
        ClusterView view = state.view();
        return view.reachable().keySet().stream()
                .filter(node -> !node.equals(view.self()))
                .toList();
    }

    // ------------------------------------------------------------ changes

    /**
     * Takes a change into force here and at all nodes that can be reached.
     *
     * @param admission is run before anything changes; what it throws ends the change
     * @return for people: the nodes that don't have it
     */
    CompletionStage<List<String>> spread(OntologyHead head, byte[] document, Runnable admission, long deadlineNanos) {
        return shelf.take(head, document, admission).thenCompose(taken -> tell(head, deadlineNanos));
    }

    private CompletionStage<List<String>> tell(OntologyHead head, long deadlineNanos) {
        List<String> missing = new ArrayList<>();
        List<CompletionStage<?>> told = new ArrayList<>();
        String self = state.view().self();
        for (String node : others()) {
            peer(node)
                    .ifPresent(replica -> told.add(replica.ontologyChanged(self, head, deadlineNanos)
                            .whenComplete((has, error) -> {
                                if (error != null || !has) {
                                    synchronized (missing) {
                                        missing.add(node);
                                    }
                                    log.warn(
                                            "node {} has not taken ontology {} yet{}",
                                            node,
                                            head.iri(),
                                            error == null ? "" : ": " + Settled.cause(error));
                                }
                            })));
        }
        return Settled.all(told).thenApply(done -> {
            synchronized (missing) {
                return List.copyOf(missing);
            }
        });
    }

    /** Gets a change from another node and takes it into force; true where it, or something newer, is. */
    CompletionStage<Boolean> fetch(String from, OntologyHead head, long deadlineNanos) {
        if (!shelf.isLoaded()) {
            return CompletableFuture.failedFuture(
                    new NotReady("the node is still reading its ontologies", Optional.of(RETRY)));
        }
        if (shelf.present().has(head)) {
            // It may have been taken and not be in force yet: documents come one after the other.
            return shelf.submit(() -> true);
        }
        if (head.bytes() > shelf.terms().document().bytesMax()) {
            return CompletableFuture.failedFuture(new InvalidArgument(
                    "document", "larger than " + shelf.terms().document().bytesMax() + " bytes"));
        }
        CompletableFuture<Boolean> fresh = new CompletableFuture<>();
        CompletionStage<Boolean> under = fetching.putIfAbsent(head, fresh);
        if (under != null) {
            return under;
        }
        CompletionStage<byte[]> document = head.isRemoved()
                ? CompletableFuture.completedFuture(new byte[0])
                : part(from, head, new byte[head.bytes()], 0, deadlineNanos);
        document.thenCompose(bytes -> shelf.take(head, bytes)).whenComplete((taken, error) -> {
            fetching.remove(head);
            if (error == null) {
                fresh.complete(true);
            } else {
                fresh.completeExceptionally(Settled.cause(error));
            }
        });
        return fresh;
    }

    private CompletionStage<byte[]> part(String from, OntologyHead head, byte[] into, int offset, long deadlineNanos) {
        if (offset == into.length) {
            return CompletableFuture.completedFuture(into);
        }
        Optional<MeaningReplica> peer = peer(from);
        if (peer.isEmpty()) {
            return CompletableFuture.failedFuture(new NotReady("node " + from + " is gone", Optional.empty()));
        }
        long partNanos = ticker.getAsLong() + 10 * peerTimeout.toNanos();
        long untilNanos = partNanos - deadlineNanos < 0 ? partNanos : deadlineNanos;
        return peer.get().ontologyPart(head, offset, untilNanos).thenCompose(bytes -> {
            if (bytes.length == 0 || bytes.length > into.length - offset) {
                throw new InvalidArgument("document", "node " + from + " sent a part that does not fit");
            }
            System.arraycopy(bytes, 0, into, offset, bytes.length);
            return part(from, head, into, offset + bytes.length, deadlineNanos);
        });
    }

    /** The document of a head that this node holds. */
    CompletionStage<byte[]> bytes(OntologyHead head) {
        Kept kept = last.get();
        if (kept != null && kept.head().equals(head) && !kept.document().isCompletedExceptionally()) {
            return kept.document();
        }
        CompletableFuture<byte[]> read = shelf.document(head).toCompletableFuture();
        Kept fresh = new Kept(head, read);
        last.set(fresh);
        timer.after(FETCH, () -> last.compareAndSet(fresh, null));
        return read;
    }

    // ------------------------------------------------------------ comparing

    private void round() {
        if (closed) {
            return;
        }
        List<String> others = someOthers();
        if (others.isEmpty() || !shelf.isLoaded()) {
            // A node by itself knows what there is to know, also when others come.
            compared |= shelf.isLoaded();
            timer.after(next(), this::round);
            return;
        }
        List<CompletionStage<?>> asked = new ArrayList<>();
        List<String> answered = new ArrayList<>();
        for (String node : others) {
            asked.add(compare(node).thenAccept(done -> {
                synchronized (answered) {
                    answered.add(node);
                }
            }));
        }
        Settled.all(asked).whenComplete((done, error) -> {
            boolean any;
            synchronized (answered) {
                any = !answered.isEmpty();
            }
            compared |= any;
            Duration twice = untilKnown.multipliedBy(2);
            untilKnown = twice.compareTo(RETRY) < 0 ? twice : RETRY;
            timer.after(any || !compared ? next() : RETRY, this::round);
        });
    }

    /** Chosen anew each time; while this node doesn't know what is in force, those that were there before it. */
    private List<String> someOthers() {
        ClusterView view = state.view();
        List<String> others = new ArrayList<>();
        List<String> before = new ArrayList<>();
        for (ClusterMember member : view.reachable().values()) {
            if (!member.id().equals(view.self())) {
                others.add(member.id());
                if (member.stage() != Stage.JOINING) {
                    before.add(member.id());
                }
            }
        }
        List<String> from = compared || before.isEmpty() ? others : before;
        Collections.sort(from); // so that chance alone decides
        List<String> some = new ArrayList<>();
        while (some.size() < ASKED_MAX && !from.isEmpty()) {
            some.add(from.remove(random.nextInt(from.size())));
        }
        return some;
    }

    private Duration next() {
        if (!compared) {
            return untilKnown;
        }
        // Nodes that were started together should not compare together.
        return Duration.ofNanos(interval.toNanos() / 2 + random.nextLong(interval.toNanos()));
    }

    /** Gets from another node what it knows better. */
    private CompletionStage<Void> compare(String node) {
        OntologySet set = shelf.present();
        Optional<MeaningReplica> peer = peer(node);
        if (peer.isEmpty()) {
            return CompletableFuture.failedFuture(new NotReady("node " + node + " is gone", Optional.empty()));
        }
        long nowNanos = ticker.getAsLong();
        return peer.get()
                .ontologies(set.digest(), nowNanos + peerTimeout.toNanos())
                .thenCompose(heads -> fetchNewer(node, set, heads));
    }

    private CompletionStage<Void> fetchNewer(String node, OntologySet set, OntologyHeads heads) {
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (OntologyHead head : heads.heads()) {
            if (!set.has(head)) {
                all = all.thenCompose(done -> fetch(node, head, ticker.getAsLong() + FETCH.toNanos()))
                        .handle((taken, error) -> {
                            if (error != null && !closed) {
                                log.warn(
                                        "could not get ontology {} from node {}: {}",
                                        head.iri(),
                                        node,
                                        Settled.cause(error).toString());
                            }
                            return null;
                        });
            }
        }
        return all;
    }

    void close() {
        closed = true;
    }
}
