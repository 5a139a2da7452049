// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Change;
import io.tagbahn.server.store.ContentHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes that nodes could not be told of, to be told later; the newest of each instance.
 *
 * <p>They are a shortcut: what doesn't fit, or is too old, is found by comparison all the same.
 */
public final class Hints {

    /** Entries of all changes for one node together, for each change that may be kept: what bounds the memory. */
    private static final int ENTRIES_PER_HINT = 50;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int perNodeMax;
    private final long entriesPerNodeMax;
    private final long keptNanos;
    private final Map<String, NodeHints> byNode = new LinkedHashMap<>();

    private record Hint(Change change, long sinceNanos) {}

    /**
     * @param perNodeMax changes kept for one node; the oldest give way
     * @param keptNanos how long a change is kept
     */
    public Hints(int perNodeMax, long keptNanos) {
        if (perNodeMax < 1) {
            throw new IllegalArgumentException("perNodeMax " + perNodeMax + " < 1");
        }
        this.perNodeMax = perNodeMax;
        this.entriesPerNodeMax = (long) perNodeMax * ENTRIES_PER_HINT;
        this.keptNanos = keptNanos;
    }

    /** Those for one node, oldest first. */
    private static final class NodeHints {
        private final LinkedHashMap<InstanceId, Hint> hints = new LinkedHashMap<>();
        private long entries;

        void put(Hint hint) {
            hints.put(hint.change().id(), hint);
            entries += entries(hint.change());
        }

        @Nullable
        Hint remove(InstanceId id) {
            Hint removed = hints.remove(id);
            if (removed != null) {
                entries -= entries(removed.change());
            }
            return removed;
        }

        Hint oldest() {
            return hints.values().iterator().next();
        }

        Hint removeOldest() {
            Hint oldest = oldest();
            remove(oldest.change().id());
            return oldest;
        }
    }

    public synchronized void add(String node, Change change, long nowNanos) {
        NodeHints of = byNode.computeIfAbsent(node, unused -> new NodeHints());
        Hint known = of.remove(change.id());
        of.put(known != null && stands(known.change(), change) ? known : new Hint(change, nowNanos));
        while (of.hints.size() > perNodeMax || (of.entries > entriesPerNodeMax && of.hints.size() > 1)) {
            of.removeOldest();
        }
    }

    /** Whether what is known tells more than what comes: calls may end in another order than they were decided in. */
    private static boolean stands(Change known, Change coming) {
        if (known.generation() != coming.generation()) {
            return known.generation() > coming.generation();
        }
        boolean knownEnds = known instanceof Change.Removal;
        boolean comingEnds = coming instanceof Change.Removal;
        if (knownEnds || comingEnds) {
            return knownEnds && !(comingEnds && ((Change.Removal) known).ended());
        }
        int byContent = ContentHash.compare(instance(known), origin(known), instance(coming), origin(coming));
        if (byContent != 0) {
            return byContent > 0;
        }
        return entries(known) > entries(coming); // parts of one generation, of which later ones hold the earlier
    }

    private static Instance instance(Change change) {
        return change instanceof Change.RecordCopy copy ? copy.instance() : ((Change.PostedCopy) change).instance();
    }

    private static long origin(Change change) {
        return change instanceof Change.RecordCopy copy ? copy.origin() : ((Change.PostedCopy) change).origin();
    }

    private static int entries(Change change) {
        if (change instanceof Change.RecordCopy copy) {
            return copy.entries().size();
        } else if (change instanceof Change.PostedCopy copy) {
            return copy.entries().size();
        }
        return 0;
    }

    /**
     * Takes out what is kept for a node, the oldest first, as it is to be sent now.
     *
     * @param most changes
     * @param bytesMax of a message; one change alone may take more
     */
    public synchronized List<Change> take(String node, int most, long bytesMax, long nowNanos) {
        NodeHints of = byNode.get(node);
        if (of == null) {
            return List.of();
        }
        List<Change> taken = new ArrayList<>();
        long bytes = 0;
        while (!of.hints.isEmpty() && taken.size() < most) {
            bytes += Batches.bytesOf(of.oldest().change());
            if (bytes > bytesMax && !taken.isEmpty()) {
                break;
            }
            Hint hint = of.removeOldest();
            long waitedNanos = nowNanos - hint.sinceNanos();
            if (waitedNanos <= keptNanos) {
                taken.add(
                        hint.change() instanceof Change.RecordCopy copy
                                ? copy.after(waitedNanos / NANOS_PER_MILLI)
                                : hint.change());
            }
        }
        if (of.hints.isEmpty()) {
            byNode.remove(node);
        }
        return taken;
    }

    /** Forgets nodes that are gone. */
    public synchronized void keepOnly(Set<String> nodes) {
        byNode.keySet().retainAll(nodes);
    }

    public synchronized int count() {
        return byNode.values().stream().mapToInt(of -> of.hints.size()).sum();
    }
}
