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
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.peer.Word;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

    /** How long the end of a lease is put off so that other homes can be asked whether it goes on there. */
    public static final Duration ENDING = Duration.ofMillis(400);

    private final Holdings holdings;
    private final CopyMerge copies;
    private boolean asksBeforeEnding;

    public RegistrationStore(StoreLimits limits, LeaseTerms terms, ExpiryGuardTerms guard) {
        this.holdings = new Holdings(limits, terms, guard);
        this.copies = new CopyMerge(holdings);
    }

    /** A store in which every lease ends at its end, however many do. */
    public RegistrationStore(StoreLimits limits, LeaseTerms terms) {
        this(limits, terms, ExpiryGuardTerms.off());
    }

    /** Who is told of entries that come and go, before anything is written. */
    public void onEntries(EntryListener listener) {
        holdings.postings.listener(listener);
    }

    // ------------------------------------------------------------ writing

    /**
     * Registers an instance, or changes the tags of one.
     *
     * @throws InvalidArgument where the generation is too far ahead, or a limit would be passed
     * @throws StaleGeneration where a newer registration or deregistration is known
     * @throws NotFound where tags are to be added to or taken from an instance that is not registered
     */
    public Granted register(RegisterCommand command, Now now) {
        InstanceId id = command.instance().id();
        StoredInstance known = holdings.find(id);
        checkAhead("generation", command.generation().orElse(0), now);
        if (command.mode() == RegisterMode.REPLACE) {
            long newest = known == null ? holdings.tombstones.newest(id, now.nanos()) : known.generation();
            // Where only postings are held, the record of the same generation may have been lost on its way.
            long lowest = known == null || known.isHome() ? newest + 1 : newest;
            long generation = generation(command, newest, lowest, now);
            return replace(known, command, generation, now);
        }
        if (known == null || !known.isHome()) {
            throw new NotFound("instance " + id + " is not registered: register it in full");
        }
        long lowest = known.generation() + (command.mode() == RegisterMode.ADD ? 0 : 1);
        long generation = generation(command, known.generation(), lowest, now);
        return amend(known, command, generation, now);
    }

    private static long generation(RegisterCommand command, long newest, long lowest, Now now) {
        if (command.generation().isEmpty()) {
            return Math.max(newest + 1, now.epochMillis());
        }
        long asked = command.generation().getAsLong();
        if (asked < lowest) {
            throw new StaleGeneration(
                    "instance " + command.instance().id() + " is known up to generation " + newest + "; this is "
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

    private Granted replace(@Nullable StoredInstance known, RegisterCommand command, long generation, Now now) {
        Instance instance = command.instance();
        List<String> entries =
                EntrySets.union(command.tags(), List.of(instance.serviceName().value()));
        List<String> before = known == null ? List.of() : Arrays.asList(known.entries());
        List<String> removed = EntrySets.minus(before, entries);
        checkTags(entries.size() - 1);
        holdings.checkBytes(entries);
        Reposting own = holdings.reposting(known, holdings.ownedOf(entries));
        holdings.checkRoomForEntries(own.added());
        if (known == null) {
            holdings.checkRoomForInstance();
        }
        StoredInstance stored = holdings.placed(known, instance, now);
        holdings.record(stored, entries, own);
        stored.origin(ContentHash.of(instance, entries));
        return granted(stored, generation, holdings.terms.clampedMillis(command.lease()), removed, now);
    }

    private Granted amend(StoredInstance known, RegisterCommand command, long generation, Now now) {
        List<String> before = Arrays.asList(known.entries());
        List<String> named = command.tags();
        List<String> after;
        List<String> removed = List.of();
        if (command.mode() == RegisterMode.ADD) {
            List<String> added = EntrySets.minus(named, before);
            checkTags(before.size() + added.size() - 1);
            after = EntrySets.union(before, added);
            holdings.checkBytes(after);
        } else {
            List<String> removable = EntrySets.minus(
                    named, List.of(known.instance().serviceName().value()));
            after = EntrySets.minus(before, removable);
            removed = EntrySets.minus(before, after);
        }
        Reposting own = holdings.reposting(known, holdings.ownedOf(after));
        if (command.mode() == RegisterMode.ADD) {
            holdings.checkRoomForEntries(own.added());
        }
        holdings.record(known, after, own);
        int leaseMillis =
                command.lease().isPresent() ? holdings.terms.clampedMillis(command.lease()) : known.leaseMillis();
        return granted(known, generation, leaseMillis, removed, now);
    }

    private void checkTags(int tags) {
        if (tags > holdings.limits.tagsPerRegistrationMax()) {
            throw new InvalidArgument(
                    "serviceTags",
                    "the instance would have " + tags + " tags; at most " + holdings.limits.tagsPerRegistrationMax()
                            + " are taken");
        }
    }

    private Granted granted(StoredInstance stored, long generation, int leaseMillis, List<String> removed, Now now) {
        stored.generation(generation);
        holdings.lease(stored, leaseMillis, leaseMillis, now);
        return new Granted(generation, Duration.ofMillis(leaseMillis), removed);
    }

    /** Renews leases of exactly the generations that are registered here. */
    public HeartbeatResult heartbeat(List<LeaseRef> renewed, Now now) {
        List<LeaseRef> unknown = new ArrayList<>();
        List<LeaseRef> superseded = new ArrayList<>();
        for (LeaseRef lease : renewed) {
            StoredInstance stored = holdings.find(lease.instanceId());
            if (stored != null && lease.generation() < stored.generation()) {
                superseded.add(lease);
            } else if (stored == null || !stored.isHome() || lease.generation() > stored.generation()) {
                unknown.add(lease);
            } else {
                holdings.lease(stored, stored.leaseMillis(), stored.leaseMillis(), now);
            }
        }
        return new HeartbeatResult(unknown, superseded);
    }

    /**
     * Takes an instance out and remembers up to which generation. Of an instance that is not registered the generation
     * is remembered too: its registration may still be under way.
     *
     * @param lease generation 0 stands for the present one
     * @throws StaleGeneration where a newer registration is there
     * @throws InvalidArgument where the generation is too far ahead
     */
    public Deregistered deregister(LeaseRef lease, Now now) {
        checkAhead("lease.generation", lease.generation(), now);
        InstanceId id = lease.instanceId();
        StoredInstance stored = holdings.find(id);
        if (stored == null) {
            long newest = holdings.tombstones.newest(id, now.nanos());
            if (lease.generation() > newest
                    || (lease.generation() == newest && newest > 0 && holdings.tombstones.isEnded(id, now.nanos()))) {
                holdings.tombstones.put(id, lease.generation(), now.nanos());
            }
            return new Deregistered(false, Math.max(newest, lease.generation()), List.of());
        }
        if (lease.generation() != 0 && lease.generation() < stored.generation()) {
            throw new StaleGeneration(
                    "instance " + id + " is registered with generation " + stored.generation() + "; this is "
                            + lease.generation(),
                    stored.generation());
        }
        boolean home = stored.isHome();
        List<String> removed = Arrays.asList(home ? stored.entries() : stored.posted());
        long generation = Math.max(stored.generation(), lease.generation());
        holdings.drop(stored, generation, false, now);
        return new Deregistered(home, generation, removed);
    }

    /**
     * Keeps an operator's word on an instance; UP takes it back.
     *
     * @throws NotFound where the instance is not registered and no word on it is kept
     * @throws InvalidArgument where no more words can be kept
     */
    public void setStatus(InstanceId id, InstanceStatus status, String reason, Now now) {
        StoredInstance stored = holdings.find(id);
        boolean home = stored != null && stored.isHome();
        if (!home && !holdings.operatorStatuses.contains(id)) {
            throw new NotFound("instance " + id + " is not registered");
        }
        long version = Math.max(holdings.operatorStatuses.word(id).version() + 1, now.epochMillis());
        holdings.operatorStatuses.set(
                id, new Word(status, reason, version), Holdings.goneSince(stored, now), now.epochMillis());
        if (stored != null) {
            holdings.change(stored, stored.instance());
        }
    }

    /**
     * Takes out instances whose leases have ended, a batch at most, and remembers their generations; forgets what has
     * been remembered long enough. An instance is handed out until the first tick after its lease's end.
     */
    public Expiry tick(Now now) {
        List<Held> ended = new ArrayList<>();
        List<Held> ending = new ArrayList<>();
        List<StoredInstance> due = holdings.leases().due(EXPIRED_PER_TICK_MAX, now.nanos());
        for (StoredInstance stored : due) {
            if (asksBeforeEnding && !stored.isEnding()) {
                ending.add(holdings.held(stored, now));
                holdings.leases().renew(stored, now.nanos() + ENDING.toNanos(), now.nanos());
                stored.ending(true);
            } else {
                ended.add(holdings.held(stored, now));
                holdings.drop(stored, stored.generation(), true, now);
            }
        }
        boolean more = due.size() == EXPIRED_PER_TICK_MAX;
        if (!more) {
            holdings.tombstones.forget(now.nanos());
            holdings.operatorStatuses.forget(now.epochMillis());
        }
        return new Expiry(ended, ending, more);
    }

    /** Takes in operators' words that were kept on disk, before anything else is written. */
    public void restore(List<OperatorStatus> kept, Now now) {
        holdings.operatorStatuses.restore(kept, now.epochMillis());
        holdings.operatorStatuses.forget(now.epochMillis());
    }

    /** Grows with every change of {@link #operatorStatuses()}; for the writer. */
    public long operatorStatusesVersion() {
        return holdings.operatorStatuses.version();
    }

    /** All operators' words; for the writer. */
    public List<OperatorStatus> operatorStatuses() {
        return holdings.operatorStatuses.snapshot();
    }

    // ------------------------------------------------------------ writing, as one of several nodes

    /**
     * Says which entries this node owns from now on. Records post those alone; what is posted of others stays until
     * it is {@linkplain #releasePosted released}.
     *
     * @param asks whether there are other homes, so that the end of a lease is told before it comes
     */
    public void own(Predicate<String> owned, boolean asks) {
        holdings.own(owned);
        asksBeforeEnding = asks;
    }

    /** Owns all entries, as a node by itself does. */
    public void ownAll() {
        own(Holdings.ALL, false);
    }

    /** Takes in what another node says; idempotent, and the same in whatever order changes come. */
    public Outcome apply(Change change, Now now) {
        Outcome outcome = copies.apply(change, now);
        StoredInstance stored = holdings.find(change.id());
        if (stored != null) {
            holdings.confirm(stored);
        }
        return outcome;
    }

    /** The same from a node that may not have been told of the instance's end: it stays as doubtful as it was. */
    public Outcome applyHearsay(Change change, Now now) {
        StoredInstance before = holdings.find(change.id());
        boolean confirmed = before != null && holdings.isConfirmed(before);
        long generation = before == null ? 0 : before.generation();
        Outcome outcome = copies.apply(change, now);
        StoredInstance after = holdings.find(change.id());
        if (after != null && !(confirmed && after.generation() == generation)) {
            holdings.doubt(after);
        }
        return outcome;
    }

    /** From now on all that is held counts as unconfirmed, until another node tells of it. */
    public void doubtAll() {
        holdings.doubtAll();
    }

    /** What is held of instances in a bucket without a record, and nobody has told of since all was doubted. */
    public List<Held> unconfirmed(int bucket, Now now) {
        List<Held> unconfirmed = new ArrayList<>();
        for (StoredInstance stored : holdings.sorted(bucket)) {
            if (!stored.isHome() && !holdings.isConfirmed(stored)) {
                unconfirmed.add(holdings.held(stored, now));
            }
        }
        return unconfirmed;
    }

    /** What is held of an instance; for the writer. */
    public Optional<Held> held(InstanceId id, Now now) {
        return Optional.ofNullable(holdings.find(id)).map(stored -> holdings.held(stored, now));
    }

    /** What is held of the instances in a bucket, in the order of their ids; for the writer. */
    public List<Held> held(int bucket, Optional<InstanceId> after, Now now) {
        List<Held> held = new ArrayList<>();
        for (StoredInstance stored : holdings.sorted(bucket)) {
            if (after.isEmpty() || stored.id().compareTo(after.get()) > 0) {
                held.add(holdings.held(stored, now));
            }
        }
        return held;
    }

    /**
     * Hands what is held of the instances in a bucket to the visitor, in the order of their ids, until it declines one;
     * for the writer.
     */
    public void visitHeld(int bucket, Optional<InstanceId> after, Now now, Predicate<Held> visitor) {
        for (StoredInstance stored : holdings.sorted(bucket)) {
            boolean behind = after.isEmpty() || stored.id().compareTo(after.get()) > 0;
            if (behind && !visitor.test(holdings.held(stored, now))) {
                return;
            }
        }
    }

    /** What is remembered of an instance that somebody deregistered, and that is not held; for the writer. */
    public Optional<Tombstone> deregistered(InstanceId id, Now now) {
        return holdings.find(id) == null
                ? holdings.tombstones.get(id, now.nanos()).filter(tombstone -> !tombstone.ended())
                : Optional.empty();
    }

    /** What is remembered of instances in a bucket that are gone, in the order of their ids; for the writer. */
    public List<Tombstone> gone(int bucket, Now now) {
        List<Tombstone> gone = holdings.tombstones.sorted(bucket, now.nanos());
        gone.removeIf(tombstone -> holdings.find(tombstone.id()) != null);
        return gone;
    }

    /** Puts off the end of a lease that goes on at another home. */
    public void prolong(LeaseRef lease, long leftMillis, Now now) {
        StoredInstance stored = holdings.find(lease.instanceId());
        if (stored != null
                && stored.isHome()
                && stored.generation() == lease.generation()
                && leftMillis > holdings.leftMillis(stored, now)) {
            holdings.lease(stored, stored.leaseMillis(), Math.min(leftMillis, stored.leaseMillis()), now);
        }
    }

    /** Lets go of a record that other nodes are the homes of by now; what is posted of it stays. */
    public void releaseHome(LeaseRef lease, Now now) {
        StoredInstance stored = holdings.find(lease.instanceId());
        if (stored != null && stored.isHome() && stored.generation() == lease.generation()) {
            holdings.stopHome(stored);
            if (stored.posted().length == 0) {
                holdings.forget(stored, now);
            }
        }
    }

    /** Takes an instance from entries that this node doesn't own, and posts those of a record that it does. */
    public void releasePosted(InstanceId id, Now now) {
        StoredInstance stored = holdings.find(id);
        if (stored == null) {
            return;
        }
        if (stored.isHome()) {
            List<String> entries = Arrays.asList(stored.entries());
            holdings.record(stored, entries, holdings.reposting(stored, holdings.ownedOf(entries)));
            return;
        }
        List<String> posted = Arrays.asList(stored.posted());
        holdings.postOnly(stored, holdings.reposting(stored, holdings.ownedOf(posted)));
        if (stored.posted().length == 0) {
            holdings.forget(stored, now);
        }
    }

    public Duration leaseDefault() {
        return holdings.terms.leaseDefault();
    }

    /** Whether leases are held past their end, because too many ended at once. */
    public boolean isHolding() {
        return holdings.leases().isHolding();
    }

    // ------------------------------------------------------------ reading

    /**
     * Hands over the instances under an entry that may be handed out, in the order in which they came.
     *
     * @return whether an instance is registered under the entry, up or not
     */
    public boolean forEachPeer(String entry, Consumer<? super Peer> peers) {
        return holdings.postings.forEachOffered(entry, peers);
    }

    /**
     * Hands entries to the visitor in the order of {@link Utf8#ORDER}, until it declines one; all of them as they are at
     * one moment.
     *
     * @param prefix what they begin with
     * @param after only entries behind this one
     */
    public void visitEntries(String prefix, Optional<String> after, Predicate<String> visitor) {
        holdings.postings.names().visit(prefix, after, visitor);
    }

    public int entryCount() {
        return holdings.postings.names().size();
    }

    /** Instances of which something is held in a bucket; for the writer. */
    public int instanceCount(int bucket) {
        return holdings.instanceCount(bucket);
    }

    public int instanceCount() {
        return holdings.instanceCount();
    }
}
