// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Member;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Signal;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagWarning;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.semantics.Closure;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.LocalReplica;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.Utf8;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The front door of a node: every question and every change comes through here, whatever protocol it came by.
 *
 * <p>Nothing blocks. Reads are answered on the caller's thread, writes complete on the thread that owns the data. Stages
 * fail with a {@link RegistryException}: {@link NotReady} from all methods while the node isn't, and
 * {@link Overloaded} where the deadline of the call has passed; nothing is changed then.
 */
public final class RegistryService {

    static final Duration READ_DEADLINE_DEFAULT = Duration.ofSeconds(1);
    static final Duration WRITE_DEADLINE_DEFAULT = Duration.ofSeconds(10);

    /** Warnings in one answer; a list of tags that are all suspicious is told from its beginning. */
    static final int WARNINGS_MAX = 100;

    /** Tags of one registration that are looked at in the light of the ontologies. */
    static final int TAGS_LOOKED_AT_MAX = 1_000;

    static final int REASON_BYTES_MAX = 1024;

    /** What a text or a list takes besides its bytes, in any protocol. */
    private static final int HEADER_BYTES = 8;

    private static final Duration NOT_READY_RETRY = Duration.ofSeconds(1);

    private final LocalReplica replica;
    private final Supplier<Cluster> cluster;
    private final NodeInfo node;
    private final ServiceLimits limits;
    private final LongSupplier ticker;
    private volatile Phase phase = Phase.STARTING;

    public RegistryService(
            LocalReplica replica, Supplier<Cluster> cluster, NodeInfo node, ServiceLimits limits, LongSupplier ticker) {
        this.replica = replica;
        this.cluster = cluster;
        this.node = node;
        this.limits = limits;
        this.ticker = ticker;
    }

    public void phase(Phase newPhase) {
        phase = newPhase;
    }

    // ------------------------------------------------------------ writes

    /**
     * Registers an instance under its name and tags.
     *
     * @return fails with {@link InvalidArgument}, {@link StaleGeneration}, {@link NotFound}
     */
    public CompletionStage<LeaseGrant> register(RegisterRequest request, CallContext context) {
        return write(context, deadlineNanos -> {
            List<TagWarning> warnings = warnings(request.tags());
            return cluster.get()
                    .coordinator()
                    .register(RegisterCommand.of(request), deadlineNanos)
                    .thenApply(written -> new LeaseGrant(
                            request.instance().id(),
                            written.generation(),
                            written.lease(),
                            written.lease().dividedBy(3),
                            written.copiesMade(),
                            written.copiesWanted(),
                            warnings));
        });
    }

    private List<TagWarning> warnings(List<Tag> tags) {
        List<TagWarning> warnings = new ArrayList<>();
        int bytes = 0;
        Closure closure = cluster.get().meaning().closure();
        int looked = 0;
        for (Tag tag : tags) {
            List<TagWarning> of = new ArrayList<>(TagWarning.allOf(tag));
            if (closure.hasAnythingToSay() && looked++ < TAGS_LOOKED_AT_MAX) {
                of.addAll(closure.warnings(tag));
            }
            for (TagWarning warning : of) {
                bytes += Utf8.length(warning.tag()) + Utf8.length(warning.message()) + 2 * HEADER_BYTES;
                if (warnings.size() == WARNINGS_MAX || bytes > limits.answerBytesMax() / 2) {
                    return warnings;
                }
                warnings.add(warning);
            }
        }
        return warnings;
    }

    /** Renews leases. */
    public CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, CallContext context) {
        return write(context, deadlineNanos -> {
            if (leases.size() > limits.leasesPerHeartbeatMax()) {
                throw new InvalidArgument(
                        "leases",
                        leases.size() + " leases; at most " + limits.leasesPerHeartbeatMax()
                                + " in one call: send several");
            }
            return cluster.get().coordinator().heartbeat(leases, deadlineNanos);
        });
    }

    /**
     * Takes an instance out; done also where there is none.
     *
     * @return fails with {@link StaleGeneration}, {@link InvalidArgument}
     */
    public CompletionStage<Void> deregister(LeaseRef lease, CallContext context) {
        return write(context, deadlineNanos -> cluster.get().coordinator().deregister(lease, deadlineNanos));
    }

    /**
     * Keeps an operator's word on an instance.
     *
     * @return fails with {@link NotFound}, {@link InvalidArgument}
     */
    public CompletionStage<Void> setStatus(
            InstanceId id, InstanceStatus status, Optional<String> reason, CallContext context) {
        return write(context, deadlineNanos -> {
            String text = reason.orElse("");
            if (text.length() > REASON_BYTES_MAX || Utf8.length(text) > REASON_BYTES_MAX) {
                throw new InvalidArgument("reason", "longer than " + REASON_BYTES_MAX + " bytes of UTF-8");
            }
            if (text.chars().anyMatch(Character::isISOControl)) {
                throw new InvalidArgument("reason", "holds a control character");
            }
            return cluster.get().coordinator().setStatus(id, status, text, deadlineNanos);
        });
    }

    // ------------------------------------------------------------ reads

    /**
     * The instances of a service that may be called.
     *
     * @return fails with {@link NoPeersAvailable}, {@link InvalidServiceName}
     */
    public CompletionStage<FoundPeers> discover(String serviceName, CallContext context) {
        return read(context, deadlineNanos -> {
            String name = new ServiceName(serviceName).value();
            if (!cluster.get().isAlone()) {
                return cluster.get()
                        .find(List.of(name), deadlineNanos)
                        .thenApply(found -> peers(name, found.peers().get(0), found.degraded(), found.answered()));
            }
            List<Peer> peers = new ArrayList<>(1);
            replica.forEachPeer(name, peers::add);
            return answer(peers(name, peers, replica.isHolding(), true));
        });
    }

    private FoundPeers peers(String name, List<Peer> peers, boolean degraded, boolean answered) {
        AnswerSize size = new AnswerSize();
        for (Peer peer : peers) {
            size.add(peer.encodedBytesMax());
        }
        if (!size.fits()) {
            throw new Overloaded(
                    "the answer would be longer than " + limits.answerBytesMax()
                            + " bytes, which is the most that this node sends",
                    Signal.STOP,
                    Optional.empty());
        }
        if (peers.isEmpty()) {
            throw answered && !degraded ? new NoPeersAvailable("no live instance of " + name, name) : ownersSilent();
        }
        return new FoundPeers(peers, degraded);
    }

    private static NotReady ownersSilent() {
        return new NotReady("no node that holds this could be reached", Optional.of(NOT_READY_RETRY));
    }

    /**
     * The instances under each of the tags that may be called.
     *
     * @return fails with {@link NoPeersAvailable} where no tag has any, {@link InvalidArgument} where a tag is not one
     */
    public CompletionStage<PeersByTag> tagDiscover(List<String> tags, CallContext context) {
        return read(context, deadlineNanos -> {
            if (tags.isEmpty() || tags.size() > limits.tagsPerQueryMax()) {
                throw new InvalidArgument(
                        "serviceTags",
                        tags.size() + " tags; 1.." + limits.tagsPerQueryMax() + " in one call are allowed");
            }
            return cluster.get().isAlone() ? answer(foundHere(tags)) : foundAnywhere(tags, deadlineNanos);
        });
    }

    private PeersByTag foundHere(List<String> tags) {
        AnswerSize size = new AnswerSize();
        Map<String, List<Peer>> found = new LinkedHashMap<>(Math.min(16, 2 * tags.size()));
        for (int i = 0; i < tags.size(); i++) {
            String tag = tags.get(i);
            if (!found.containsKey(tag)) {
                put(found, tag, peers(i, tag, size), size);
            }
        }
        return checked(found, tags, size, replica.isHolding(), true);
    }

    private CompletionStage<PeersByTag> foundAnywhere(List<String> tags, long deadlineNanos) {
        Map<String, String> entryOf = new LinkedHashMap<>();
        for (int i = 0; i < tags.size(); i++) {
            if (!entryOf.containsKey(tags.get(i))) {
                entryOf.put(tags.get(i), canonical("serviceTags[" + i + "]", tags.get(i)));
            }
        }
        return cluster.get().find(List.copyOf(entryOf.values()), deadlineNanos).thenApply(answer -> {
            AnswerSize size = new AnswerSize();
            Map<String, List<Peer>> found = new LinkedHashMap<>();
            int i = 0;
            for (String tag : entryOf.keySet()) {
                List<Peer> peers = answer.peers().get(i++);
                peers.forEach(peer -> size.add(peer.encodedBytesMax()));
                put(found, tag, peers, size);
            }
            return checked(found, tags, size, answer.degraded(), answer.answered());
        });
    }

    private static void put(Map<String, List<Peer>> found, String tag, List<Peer> peers, AnswerSize size) {
        if (!peers.isEmpty()) {
            size.add(Utf8.length(tag) + 2 * HEADER_BYTES);
            found.put(tag, peers);
        }
    }

    /** @param answered whether anything is known; if not, nothing found means nothing */
    private static PeersByTag checked(
            Map<String, List<Peer>> found, List<String> tags, AnswerSize size, boolean degraded, boolean answered) {
        if (!size.fits()) {
            throw new InvalidArgument(
                    "serviceTags",
                    "the answer would be longer than " + size.bytesMax()
                            + " bytes, which is the most that this node sends: ask for fewer tags in one call");
        }
        if (found.isEmpty()) {
            throw answered && !degraded
                    ? new NoPeersAvailable("no live instance under any of the tags", tags.get(0))
                    : ownersSilent();
        }
        return new PeersByTag(found, degraded);
    }

    private List<Peer> peers(int index, String tag, AnswerSize size) {
        List<Peer> peers = new ArrayList<>(1);
        Consumer<Peer> collector = peer -> {
            size.add(peer.encodedBytesMax());
            if (size.fits()) {
                peers.add(peer);
            }
        };
        // Entries are canonical: a tag that is one needs no parsing. This is the common case.
        if (!replica.forEachPeer(tag, collector)) {
            String entry = canonical("serviceTags[" + index + "]", tag);
            if (!entry.equals(tag)) {
                replica.forEachPeer(entry, collector);
            }
        }
        return peers;
    }

    private static String canonical(String field, String tag) {
        try {
            return Tag.parse(tag).spelling();
        } catch (InvalidArgument e) {
            throw e.at(field);
        }
    }

    /** A page of entries, service names and tags alike, in the order of their UTF-8 bytes. */
    public CompletionStage<NamesPage> serviceNames(NamesQuery query, CallContext context) {
        return read(context, deadlineNanos -> {
            int limit = query.limit().orElse(limits.namesPerPageMax());
            if (limit < 1 || limit > limits.namesPerPageMax()) {
                throw new InvalidArgument("limit", limit + " is not within 1.." + limits.namesPerPageMax());
            }
            if (query.prefix().length() > Tag.BYTES_MAX) {
                throw new InvalidArgument("prefix", "longer than " + Tag.BYTES_MAX + " bytes of UTF-8");
            }
            Optional<String> after = query.cursor()
                    .filter(text -> !text.isEmpty())
                    .map(text -> NamesCursor.parse(text).after());
            // The cursor to the next page has to fit as well: it is as long as an entry, in base64.
            PageInProgress page = new PageInProgress(limit, limits.answerBytesMax() - 2 * Tag.BYTES_MAX);
            if (cluster.get().isAlone()) {
                replica.visitEntries(query.prefix(), after, page);
                return answer(page.end(false, replica.isHolding()));
            }
            return cluster.get()
                    .list(query.prefix(), after, limit, deadlineNanos)
                    .thenApply(found -> {
                        for (String entry : found.entries()) {
                            if (!page.test(entry)) {
                                break;
                            }
                        }
                        return page.end(found.more(), found.degraded());
                    });
        });
    }

    /** Takes in entries for as long as they fit on a page. */
    private static final class PageInProgress implements Predicate<String> {
        private final List<String> names = new ArrayList<>();
        private final int limit;
        private int bytesLeft;
        private boolean more;

        PageInProgress(int limit, int bytesMax) {
            this.limit = limit;
            this.bytesLeft = bytesMax;
        }

        @Override
        public boolean test(String entry) {
            bytesLeft -= Utf8.length(entry) + HEADER_BYTES;
            more = names.size() == limit || bytesLeft < 0;
            if (!more) {
                names.add(entry);
            }
            return !more;
        }

        NamesPage end(boolean moreElsewhere, boolean degraded) {
            Optional<String> next = (more || moreElsewhere) && !names.isEmpty()
                    ? Optional.of(new NamesCursor(names.get(names.size() - 1)).text())
                    : Optional.empty();
            return new NamesPage(names, next, degraded);
        }
    }

    /** All nodes that this one knows of. */
    public CompletionStage<List<Member>> members(CallContext context) {
        return read(context, deadlineNanos -> answer(cluster.get().view().members()));
    }

    /**
     * The ids of the nodes that own a tag, first owner first.
     *
     * @return fails with {@link InvalidArgument} where the tag is not one
     */
    public CompletionStage<List<String>> owners(String tag, CallContext context) {
        return read(context, deadlineNanos -> answer(cluster.get().view().owners(canonical("tag", tag))));
    }

    /** What the node says of itself, at once and in every phase. */
    public NodeStatus status() {
        boolean up = phase == Phase.READY;
        return new NodeStatus(
                node.id(),
                node.version(),
                up && cluster.get().isReady(),
                node.replicas(),
                replica.entryCount(),
                replica.instanceCount(),
                up ? cluster.get().meaning().closure().version() : "none",
                Duration.ofNanos(ticker.getAsLong() - node.startedNanos()));
    }

    // ------------------------------------------------------------ what all calls have in common

    interface Call<T> {
        CompletionStage<T> start(long deadlineNanos);
    }

    private static <T> CompletionStage<T> answer(T value) {
        return CompletableFuture.completedFuture(value);
    }

    <T> CompletionStage<T> read(CallContext context, Call<T> call) {
        return admitted(context, READ_DEADLINE_DEFAULT, call);
    }

    private <T> CompletionStage<T> write(CallContext context, Call<T> call) {
        return admitted(context, WRITE_DEADLINE_DEFAULT, call);
    }

    <T> CompletionStage<T> admitted(CallContext context, Duration usual, Call<T> call) {
        try {
            admit(context);
            return call.start(ticker.getAsLong() + nanos(context.deadline().orElse(usual)));
        } catch (RegistryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void admit(CallContext context) {
        switch (phase) {
            case READY -> {}
            case STARTING -> throw new NotReady("the node is starting", Optional.of(NOT_READY_RETRY));
            case STOPPING -> throw new NotReady("the node is stopping: ask another", Optional.empty());
        }
        if (context.deadline().isPresent() && context.deadline().get().compareTo(Duration.ZERO) <= 0) {
            throw late();
        }
    }

    /** @throws Overloaded where the deadline of a call that has not begun to change anything has passed */
    void checkTime(long deadlineNanos) {
        if (deadlineNanos - ticker.getAsLong() <= 0) {
            throw late();
        }
    }

    private static Overloaded late() {
        return new Overloaded("the deadline of the call has passed; nothing was done", Signal.STOP, Optional.empty());
    }

    /** Bounded, so that a deadline centuries away doesn't wrap round. */
    private static long nanos(Duration remaining) {
        return remaining.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1).toNanos() : remaining.toNanos();
    }

    /** Adds up what an answer takes, before it is made. */
    private final class AnswerSize {
        private long bytes;

        void add(int more) {
            bytes += more;
        }

        boolean fits() {
            return bytes <= limits.answerBytesMax();
        }

        int bytesMax() {
            return limits.answerBytesMax();
        }
    }
}
