// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Holding;
import io.tagbahn.server.store.ContentHash;
import io.tagbahn.server.store.Held;
import io.tagbahn.server.store.Tombstone;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What each node should hold of an instance, worked out from its record. */
public final class Shares {

    private final Owners owners;

    public Shares(Owners owners) {
        this.owners = owners;
    }

    /** The nodes that should hold something of the record, and which entries they should post. */
    public Map<String, List<String>> entriesByNode(InstanceId id, Collection<String> entries) {
        Map<String, List<String>> byNode = new LinkedHashMap<>();
        for (String home : owners.homes(id)) {
            byNode.put(home, new ArrayList<>());
        }
        for (String entry : entries) {
            for (String owner : owners.owners(entry)) {
                byNode.computeIfAbsent(owner, node -> new ArrayList<>()).add(entry);
            }
        }
        return byNode;
    }

    /**
     * What one node should be told of an instance that is held here; absent where it is none of its business.
     *
     * @param home whether this node is told of changes of the record
     * @param isTold whether this node is told of changes under an entry: what it holds under others may be outdated
     */
    public Optional<Change> copyFor(String node, Held held, boolean home, Predicate<String> isTold) {
        if (held.home() && owners.homes(held.id()).contains(node)) {
            return Optional.of(record(held));
        }
        List<String> entries = new ArrayList<>(ownedBy(node, home ? held.entries() : held.posted()));
        if (!home) {
            entries.removeIf(isTold.negate());
        }
        return entries.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Change.PostedCopy(held.instance(), entries, held.generation(), held.word(), held.origin()));
    }

    /** What one node has to be told so that it holds its share of a record and no more. */
    public Change shareOf(String node, Held record) {
        if (owners.homes(record.id()).contains(node)) {
            return record(record);
        }
        return new Change.PostedCopy(
                record.instance(),
                ownedBy(node, record.entries()),
                record.generation(),
                record.word(),
                record.origin());
    }

    /** The record with what is left of its lease. */
    public static Change.RecordCopy record(Held held) {
        return new Change.RecordCopy(
                held.instance(),
                held.entries(),
                held.generation(),
                held.leaseMillis(),
                held.leftMillis(),
                held.word(),
                held.origin());
    }

    private List<String> ownedBy(String node, List<String> entries) {
        List<String> owned = new ArrayList<>();
        for (String entry : entries) {
            if (owners.owners(entry).contains(node)) {
                owned.add(entry);
            }
        }
        return owned;
    }

    /** What all nodes should hold of a record, by node. */
    public Map<String, Holding> expected(Held record) {
        Map<String, Holding> expected = new LinkedHashMap<>();
        Collection<String> homes = owners.homes(record.id());
        entriesByNode(record.id(), record.entries())
                .forEach((node, entries) -> expected.put(node, holding(record, homes.contains(node), entries)));
        return expected;
    }

    /**
     * What a node does hold, of what it should: entries that it doesn't own don't count, nor does a record of which it
     * is no home.
     */
    public Optional<Holding> actual(String node, Held held) {
        boolean home = held.home() && owners.homes(held.id()).contains(node);
        List<String> posted = ownedBy(node, held.posted());
        return home || !posted.isEmpty() ? Optional.of(holding(held, home, posted)) : Optional.empty();
    }

    private static Holding holding(Held held, boolean home, List<String> posted) {
        long hash = ContentHash.mixed(held.generation(), ContentHash.of(held.instance()));
        hash = ContentHash.mixed(hash, held.origin());
        hash = ContentHash.mixed(hash, held.word().version());
        if (home) {
            hash = ContentHash.mixed(hash, held.leaseMillis());
            hash = ContentHash.mixed(hash, sum(held.entries()));
        }
        Holding.Kind kind = home ? Holding.Kind.RECORD : Holding.Kind.POSTINGS;
        return new Holding(held.id(), held.generation(), kind, ContentHash.mixed(hash, sum(posted)));
    }

    /** The nodes that should know of a deregistration: the homes, which would bring the instance back otherwise. */
    public Collection<String> expected(Tombstone tombstone) {
        return owners.homes(tombstone.id());
    }

    /** A deregistration as something that a node holds; how long it is remembered is its own affair. */
    public static Holding holding(Tombstone tombstone) {
        return new Holding(tombstone.id(), tombstone.generation(), Holding.Kind.TOMBSTONE, tombstone.generation());
    }

    private static long sum(List<String> entries) {
        long sum = 0;
        for (String entry : entries) {
            sum += ContentHash.of(entry);
        }
        return sum;
    }

    /** Whether a node is the home of this rank, 0 being the first. */
    public boolean isHome(String node, int rank, InstanceId id) {
        return owners.homes(id).stream()
                .skip(rank)
                .findFirst()
                .filter(node::equals)
                .isPresent();
    }

    /** Whether a node is one of the homes. */
    public boolean isHome(String node, InstanceId id) {
        return owners.homes(id).contains(node);
    }

    /** The hash by which a holding counts in its bucket. */
    public static long inBucket(Holding holding) {
        return ContentHash.mixed(ContentHash.of(holding.id().value()), holding.hash());
    }
}
