// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Everything that a store holds, and the steps of which every write is made. Of the writer, but for the postings. */
final class Holdings {

    static final Predicate<String> ALL = entry -> true;

    private static final long NANOS_PER_MILLI = 1_000_000;

    final StoreLimits limits;
    final LeaseTerms terms;
    final Postings postings = new Postings();
    final Tombstones tombstones;
    final OperatorStatuses operatorStatuses;

    private final InstanceTable instances = new InstanceTable();
    private final EndingLeases leases;
    private Predicate<String> owned = ALL;
    private volatile int instanceCount;
    /** How often all that is held was doubted. */
    private int doubts;

    Holdings(StoreLimits limits, LeaseTerms terms, ExpiryGuardTerms guard) {
        this.limits = limits;
        this.terms = terms;
        this.leases = new EndingLeases(guard);
        this.tombstones =
                new Tombstones(limits.tombstonesMax(), terms.tombstone().toNanos());
        this.operatorStatuses = new OperatorStatuses(
                limits.operatorStatusesMax(),
                terms.operatorStatus().toMillis(),
                terms.tombstone().toMillis());
    }

    int instanceCount() {
        return instanceCount;
    }

    int instanceCount(int bucket) {
        return instances.size(bucket);
    }

    void doubtAll() {
        doubts++;
    }

    void doubt(StoredInstance stored) {
        stored.confirmedAt(doubts - 1);
    }

    void confirm(StoredInstance stored) {
        stored.confirmedAt(doubts);
    }

    /** Whether it was written, or another node told of it, since all was doubted last. */
    boolean isConfirmed(StoredInstance stored) {
        return stored.confirmedAt() == doubts;
    }

    EndingLeases leases() {
        return leases;
    }

    /** Which entries are found at this node from now on; those of instances that are there stay until changed. */
    void own(Predicate<String> newOwned) {
        owned = newOwned;
    }

    boolean owns(String entry) {
        return owned.test(entry);
    }

    @Nullable
    StoredInstance find(InstanceId id) {
        return instances.get(id);
    }

    List<StoredInstance> sorted(int bucket) {
        return instances.sorted(bucket);
    }

    void checkRoomForInstance() {
        if (instances.size() >= limits.instancesMax()) {
            throw new InvalidArgument(
                    "instance", "this node holds " + limits.instancesMax() + " instances, which is the most it takes");
        }
    }

    /** Refuses entries that no message would hold, so that no other node could be told of them. */
    void checkBytes(List<String> entries) {
        long bytes = 0;
        for (String entry : entries) {
            bytes += 3L * entry.length(); // what a character takes at most
        }
        if (bytes > limits.tagBytesMax()) {
            bytes = entries.stream().mapToLong(Utf8::length).sum();
        }
        if (bytes > limits.tagBytesMax()) {
            throw new InvalidArgument(
                    "serviceTags",
                    "the tags and the name of the instance would take " + bytes + " bytes of UTF-8; at most "
                            + limits.tagBytesMax() + " are taken");
        }
    }

    void checkRoomForEntries(List<String> added) {
        if (postings.names().size() + added.size() > limits.entriesMax()
                && postings.names().size() + postings.countNew(added) > limits.entriesMax()) {
            throw new InvalidArgument(
                    "serviceTags",
                    "this node would hold more than " + limits.entriesMax() + " entries, which is the most it takes");
        }
    }

    /** Those of the entries that this node owns; the same list where it owns all. */
    List<String> ownedOf(List<String> entries) {
        if (owned == ALL) {
            return entries;
        }
        List<String> own = new ArrayList<>();
        for (String entry : entries) {
            if (owned.test(entry)) {
                own.add(entry);
            }
        }
        return own;
    }

    /** The instance's place, now with these fields; made where there is none. */
    StoredInstance placed(@Nullable StoredInstance known, Instance instance, Now now) {
        StoredInstance stored = known == null ? new StoredInstance(instance) : known;
        change(stored, instance);
        confirm(stored);
        if (known == null) {
            instances.add(stored);
            instanceCount = instances.size();
            operatorStatuses.seen(instance.id());
        }
        return stored;
    }

    /** What is said of an instance from now on. */
    void change(StoredInstance stored, Instance instance) {
        if (stored.change(instance, effectiveStatus(instance))) {
            postings.touched(Arrays.asList(stored.posted()));
        }
    }

    private InstanceStatus effectiveStatus(Instance instance) {
        return instance.status().stricter(operatorStatuses.status(instance.id()));
    }

    /** What it comes to where an instance is posted under exactly these entries from now on. */
    Reposting reposting(@Nullable StoredInstance known, List<String> entries) {
        return Reposting.of(known == null ? List.of() : Arrays.asList(known.posted()), entries);
    }

    /** Carries it out; answers the entries as texts that all holders share. */
    private String[] post(StoredInstance stored, Reposting reposting) {
        if (reposting.isNothing()) {
            return stored.posted();
        }
        List<String> shared = postings.add(reposting.added(), stored);
        postings.remove(reposting.removed(), stored);
        return EntrySets.union(EntrySets.minus(reposting.before(), reposting.removed()), shared)
                .toArray(String[]::new);
    }

    /** Makes the entries of a record these, and posts it under those that this node owns. */
    void record(StoredInstance stored, List<String> entries, Reposting own) {
        String[] posted = post(stored, own);
        if (own.isNothing() && entries.equals(Arrays.asList(stored.entries()))) {
            return;
        }
        String[] all = own.size() == entries.size()
                ? posted
                : EntrySets.union(Arrays.asList(posted), entries).toArray(String[]::new);
        stored.entries(all, posted);
    }

    /** Posts an instance under entries that another node says this one owns. */
    void postOnly(StoredInstance stored, Reposting entries) {
        stored.entries(stored.isHome() ? stored.entries() : new String[0], post(stored, entries));
    }

    /** Makes this node a home of the instance, or renews its lease. */
    void lease(StoredInstance stored, int leaseMillis, long leftMillis, Now now) {
        stored.leaseMillis(leaseMillis);
        long expiresNanos = now.nanos() + leftMillis * NANOS_PER_MILLI;
        stored.ending(false);
        if (stored.isHome()) {
            leases.renew(stored, expiresNanos, now.nanos());
        } else {
            stored.home(true);
            leases.add(stored, expiresNanos);
        }
    }

    /** What others may count on: nothing where the lease is about to end, something where its end is put off. */
    long leftMillis(StoredInstance stored, Now now) {
        if (!stored.isHome() || stored.isEnding()) {
            return 0;
        }
        long left = (stored.expiresNanos() - now.nanos()) / NANOS_PER_MILLI;
        long least = leases.isHolding()
                ? ExpiryGuard.windowOf(Duration.ofMillis(stored.leaseMillis())).toMillis()
                : 0;
        return Math.max(least, left);
    }

    /** Lets go of the record and its lease, and keeps what is posted. */
    void stopHome(StoredInstance stored) {
        if (stored.isHome()) {
            leases.remove(stored);
            stored.home(false);
            stored.ending(false);
            stored.leaseMillis(0);
            stored.entries(new String[0], stored.posted());
        }
    }

    /** Takes an instance out, and remembers up to which generation it is gone. */
    void drop(StoredInstance stored, long generation, boolean leaseEnded, Now now) {
        forget(stored, now);
        tombstones.put(stored.id(), generation, leaseEnded, Long.MAX_VALUE, now.nanos());
    }

    /** Takes an instance out that is none of this node's business any more. */
    void forget(StoredInstance stored, Now now) {
        stored.withdraw();
        stopHome(stored);
        postings.remove(Arrays.asList(stored.posted()), stored);
        stored.entries(new String[0], new String[0]);
        instances.remove(stored.id());
        instanceCount = instances.size();
        operatorStatuses.gone(stored.id(), now.epochMillis());
    }

    Held held(StoredInstance stored, Now now) {
        return new Held(
                stored.instance(),
                stored.generation(),
                stored.isHome(),
                Arrays.asList(stored.entries()),
                Arrays.asList(stored.posted()),
                stored.leaseMillis(),
                leftMillis(stored, now),
                operatorStatuses.word(stored.id()),
                stored.origin());
    }

    /** When the word's instance was last seen, for the time that the word is kept. */
    static OptionalLong goneSince(@Nullable StoredInstance stored, Now now) {
        return stored == null ? OptionalLong.of(now.epochMillis()) : OptionalLong.empty();
    }
}
