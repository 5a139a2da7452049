// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The registrations of a node and the postings derived from them.
 *
 * <p>Methods that take a {@link Now} write: one thread at a time may call them, and each sees what the one before did.
 * All others read and may be called by any thread at any time, also during a write. A reader may see the entries of a
 * registration appear one by one while it is being written; once the write has returned, every reader finds the instance
 * under exactly the entries of its newest generation, with the fields of that generation.
 *
 * <p>A write that throws has changed nothing.
 */
public final class RegistrationStore {

    /** How far ahead of this node's clock a generation may be. */
    public static final Duration GENERATION_AHEAD_MAX = Duration.ofMinutes(5);

    /** Leases that end at one time are taken out in batches of this size, so that other writes come in between. */
    public static final int EXPIRED_PER_TICK_MAX = 1_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final StoreLimits limits;
    private final LeaseTerms terms;
    private final Map<InstanceId, StoredInstance> instances = new HashMap<>();
    private final Postings postings = new Postings();
    private final Leases leases = new Leases();
    private final Tombstones tombstones;
    private final OperatorStatuses operatorStatuses;
    private volatile int instanceCount;

    public RegistrationStore(StoreLimits limits, LeaseTerms terms) {
        this.limits = limits;
        this.terms = terms;
        this.tombstones =
                new Tombstones(limits.tombstonesMax(), terms.tombstone().toNanos());
        this.operatorStatuses = new OperatorStatuses(
                limits.operatorStatusesMax(), terms.operatorStatus().toMillis());
    }

    // ------------------------------------------------------------ writing

    /**
     * Registers an instance, or changes the tags of one.
     *
     * @throws InvalidArgument where the generation is too far ahead, or a limit would be passed
     * @throws StaleGeneration where a newer registration or deregistration is known
     * @throws NotFound where tags are to be added to or taken from an instance that is not registered
     */
    public Granted register(RegisterRequest request, Now now) {
        InstanceId id = request.instance().id();
        StoredInstance known = instances.get(id);
        checkAhead("generation", request.generation().orElse(0), now);
        if (request.mode() == RegisterMode.REPLACE) {
            long newest = known == null ? tombstones.newest(id, now.nanos()) : known.generation();
            long generation = generation(request, newest, newest + 1, now);
            return replace(known, request, generation, now);
        }
        if (known == null) {
            throw new NotFound("instance " + id + " is not registered: register it in full");
        }
        long lowest = known.generation() + (request.mode() == RegisterMode.ADD ? 0 : 1);
        long generation = generation(request, known.generation(), lowest, now);
        return amend(known, request, generation, now);
    }

    private static long generation(RegisterRequest request, long newest, long lowest, Now now) {
        if (request.generation().isEmpty()) {
            return Math.max(newest + 1, now.epochMillis());
        }
        long asked = request.generation().getAsLong();
        if (asked < lowest) {
            throw new StaleGeneration(
                    "instance " + request.instance().id() + " is known up to generation " + newest + "; this is "
                            + asked,
                    newest);
        }
        return asked;
    }

    private static void checkAhead(String field, long generation, Now now) {
        long most = now.epochMillis() + GENERATION_AHEAD_MAX.toMillis();
        if (generation > most) {
            throw new InvalidArgument(
                    field,
                    generation + " is not within 1.." + most
                            + ", which is five minutes ahead of this node's clock (milliseconds since 1970)");
        }
    }

    private Granted replace(@Nullable StoredInstance known, RegisterRequest request, long generation, Now now) {
        Instance instance = request.instance();
        List<String> entries = entries(request, instance);
        List<String> before = known == null ? List.of() : Arrays.asList(known.entries());
        List<String> added = EntrySets.minus(entries, before);
        List<String> removed = EntrySets.minus(before, entries);
        checkTags(entries.size() - 1);
        checkEntries(added);
        if (known == null && instances.size() >= limits.instancesMax()) {
            throw new InvalidArgument(
                    "instance", "this node holds " + limits.instancesMax() + " instances, which is the most it takes");
        }
        StoredInstance stored = known == null ? new StoredInstance(instance) : known;
        stored.change(instance, instance.status().stricter(operatorStatuses.status(instance.id())));
        List<String> shared = postings.add(added, stored);
        postings.remove(removed, stored);
        stored.entries(EntrySets.union(EntrySets.minus(before, removed), shared).toArray(String[]::new));
        stored.leaseMillis(terms.clampedMillis(request.lease()));
        if (known == null) {
            instances.put(instance.id(), stored);
            instanceCount = instances.size();
            operatorStatuses.seen(instance.id());
        }
        return granted(stored, generation, now);
    }

    private Granted amend(StoredInstance known, RegisterRequest request, long generation, Now now) {
        List<String> before = Arrays.asList(known.entries());
        List<String> named = entries(request, known.instance());
        List<String> after;
        if (request.mode() == RegisterMode.ADD) {
            List<String> added = EntrySets.minus(named, before);
            checkTags(before.size() + added.size() - 1);
            checkEntries(added);
            after = EntrySets.union(before, postings.add(added, known));
        } else {
            List<String> removable = EntrySets.minus(
                    named, List.of(known.instance().serviceName().value()));
            after = EntrySets.minus(before, removable);
            postings.remove(EntrySets.minus(before, after), known);
        }
        known.entries(after.toArray(String[]::new));
        if (request.lease().isPresent()) {
            known.leaseMillis(terms.clampedMillis(request.lease()));
        }
        return granted(known, generation, now);
    }

    /** The service name and the tags. */
    private static List<String> entries(RegisterRequest request, Instance instance) {
        List<String> entries = new ArrayList<>(request.tags().size() + 1);
        entries.add(instance.serviceName().value());
        for (Tag tag : request.tags()) {
            entries.add(tag.spelling());
        }
        return EntrySets.sorted(entries);
    }

    private void checkTags(int tags) {
        if (tags > limits.tagsPerRegistrationMax()) {
            throw new InvalidArgument(
                    "serviceTags",
                    "the instance would have " + tags + " tags; at most " + limits.tagsPerRegistrationMax()
                            + " are taken");
        }
    }

    private void checkEntries(List<String> added) {
        if (postings.names().size() + added.size() > limits.entriesMax()
                && postings.names().size() + postings.countNew(added) > limits.entriesMax()) {
            throw new InvalidArgument(
                    "serviceTags",
                    "this node would hold more than " + limits.entriesMax() + " entries, which is the most it takes");
        }
    }

    private Granted granted(StoredInstance stored, long generation, Now now) {
        boolean added = stored.generation() == 0;
        stored.generation(generation);
        long expiresNanos = now.nanos() + stored.leaseMillis() * NANOS_PER_MILLI;
        if (added) {
            leases.add(stored, expiresNanos);
        } else {
            leases.renew(stored, expiresNanos);
        }
        return new Granted(generation, Duration.ofMillis(stored.leaseMillis()));
    }

    /** Renews leases of exactly the generations that are registered. */
    public HeartbeatResult heartbeat(List<LeaseRef> renewed, Now now) {
        List<LeaseRef> unknown = new ArrayList<>();
        List<LeaseRef> superseded = new ArrayList<>();
        for (LeaseRef lease : renewed) {
            StoredInstance stored = instances.get(lease.instanceId());
            if (stored == null || lease.generation() > stored.generation()) {
                unknown.add(lease);
            } else if (lease.generation() < stored.generation()) {
                superseded.add(lease);
            } else {
                leases.renew(stored, now.nanos() + stored.leaseMillis() * NANOS_PER_MILLI);
            }
        }
        return new HeartbeatResult(unknown, superseded);
    }

    /**
     * Takes an instance out and remembers up to which generation. Of an instance that is not registered the generation
     * is remembered too: its registration may still be under way.
     *
     * @param lease generation 0 stands for the present one
     * @return whether an instance was there
     * @throws StaleGeneration where a newer registration is there
     * @throws InvalidArgument where the generation is too far ahead
     */
    public boolean deregister(LeaseRef lease, Now now) {
        checkAhead("lease.generation", lease.generation(), now);
        StoredInstance stored = instances.get(lease.instanceId());
        if (stored == null) {
            if (lease.generation() > tombstones.newest(lease.instanceId(), now.nanos())) {
                tombstones.put(lease.instanceId(), lease.generation(), now.nanos());
            }
            return false;
        }
        if (lease.generation() != 0 && lease.generation() < stored.generation()) {
            throw new StaleGeneration(
                    "instance " + lease.instanceId() + " is registered with generation " + stored.generation()
                            + "; this is " + lease.generation(),
                    stored.generation());
        }
        leases.remove(stored);
        drop(stored, Math.max(stored.generation(), lease.generation()), now);
        return true;
    }

    private void drop(StoredInstance stored, long generation, Now now) {
        stored.withdraw();
        postings.remove(Arrays.asList(stored.entries()), stored);
        instances.remove(stored.id());
        instanceCount = instances.size();
        tombstones.put(stored.id(), generation, now.nanos());
        operatorStatuses.gone(stored.id(), now.epochMillis());
    }

    /**
     * Keeps an operator's word on an instance; UP takes it back.
     *
     * @throws NotFound where the instance is not registered and no word on it is kept
     * @throws InvalidArgument where no more words can be kept
     */
    public void setStatus(InstanceId id, InstanceStatus status, String reason, Now now) {
        StoredInstance stored = instances.get(id);
        if (stored == null && !operatorStatuses.contains(id)) {
            throw new NotFound("instance " + id + " is not registered");
        }
        operatorStatuses.set(
                id, status, reason, stored == null ? OptionalLong.of(now.epochMillis()) : OptionalLong.empty());
        if (stored != null) {
            stored.change(stored.instance(), stored.instance().status().stricter(status));
        }
    }

    /**
     * Takes out instances whose leases have ended, a batch at most, and remembers their generations; forgets what has
     * been remembered long enough. An instance is handed out until the first tick after its lease's end.
     */
    public Expiry tick(Now now) {
        int expired = 0;
        while (expired < EXPIRED_PER_TICK_MAX) {
            Optional<StoredInstance> ended = leases.poll(now.nanos());
            if (ended.isEmpty()) {
                tombstones.forget(now.nanos());
                operatorStatuses.forget(now.epochMillis());
                return new Expiry(expired, false);
            }
            drop(ended.get(), ended.get().generation(), now);
            expired++;
        }
        return new Expiry(expired, true);
    }

    /** Takes in operators' words that were kept on disk, before anything else is written. */
    public void restore(List<OperatorStatus> kept, Now now) {
        operatorStatuses.restore(kept, now.epochMillis());
        operatorStatuses.forget(now.epochMillis());
    }

    /** Grows with every change of {@link #operatorStatuses()}; for the writer. */
    public long operatorStatusesVersion() {
        return operatorStatuses.version();
    }

    /** All operators' words; for the writer. */
    public List<OperatorStatus> operatorStatuses() {
        return operatorStatuses.snapshot();
    }

    // ------------------------------------------------------------ reading

    /**
     * Hands over the instances under an entry that may be handed out, in the order in which they came.
     *
     * @return whether an instance is registered under the entry, up or not
     */
    public boolean forEachPeer(String entry, Consumer<? super Peer> peers) {
        return postings.forEachOffered(entry, peers);
    }

    /**
     * Hands entries to the visitor in the order of {@link Utf8#ORDER}, until it declines one; all of them as they are at
     * one moment.
     *
     * @param prefix what they begin with
     * @param after only entries behind this one
     */
    public void visitEntries(String prefix, Optional<String> after, Predicate<String> visitor) {
        postings.names().visit(prefix, after, visitor);
    }

    public int entryCount() {
        return postings.names().size();
    }

    public int instanceCount() {
        return instanceCount;
    }
}
