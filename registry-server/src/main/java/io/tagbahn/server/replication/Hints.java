// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Change;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes that nodes could not be told of, to be told later; the newest of each instance.
 *
 * <p>They are a shortcut: what doesn't fit, or is too old, is found by comparison all the same.
 */
public final class Hints {

    private final int perNodeMax;
    private final long keptNanos;
    private final Map<String, LinkedHashMap<InstanceId, Hint>> byNode = new LinkedHashMap<>();

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
        this.keptNanos = keptNanos;
    }

    public synchronized void add(String node, Change change, long nowNanos) {
        LinkedHashMap<InstanceId, Hint> hints = byNode.computeIfAbsent(node, unused -> new LinkedHashMap<>());
        Hint known = hints.remove(change.id());
        boolean older = known != null && known.change().generation() > change.generation();
        hints.put(change.id(), older ? known : new Hint(change, nowNanos));
        if (hints.size() > perNodeMax) {
            hints.remove(hints.keySet().iterator().next());
        }
    }

    /** Takes out what is kept for a node, so many at most, the oldest first. */
    public synchronized List<Change> take(String node, int most, long nowNanos) {
        Map<InstanceId, Hint> hints = byNode.get(node);
        if (hints == null) {
            return List.of();
        }
        hints.values().removeIf(hint -> nowNanos - hint.sinceNanos() > keptNanos);
        List<Change> taken = new ArrayList<>();
        var next = hints.values().iterator();
        while (next.hasNext() && taken.size() < most) {
            taken.add(next.next().change());
            next.remove();
        }
        if (hints.isEmpty()) {
            byNode.remove(node);
        }
        return taken;
    }

    /** Forgets nodes that are gone. */
    public synchronized void keepOnly(Set<String> nodes) {
        byNode.keySet().retainAll(nodes);
    }

    public synchronized int count() {
        return byNode.values().stream().mapToInt(Map::size).sum();
    }
}
