// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes kept for nodes that could not be reached, the newest for each key. Bounded by number and age: what is dropped
 * is left to repair. Owned by one thread.
 *
 * @param <W> a write
 */
public final class Hints<W> {

    private record Hint<W>(W write, Version version, long atNanos) {}

    private final int perNodeMax;
    private final long ageNanosMax;
    private final Map<String, LinkedHashMap<String, Hint<W>>> byNode = new HashMap<>();
    private long dropped;

    /**
     * @param perNodeMax most hints for one node; the oldest goes first
     * @param ageNanosMax older ones are not handed out
     */
    public Hints(int perNodeMax, long ageNanosMax) {
        if (perNodeMax < 1) {
            throw new IllegalArgumentException("perNodeMax " + perNodeMax + " < 1");
        }
        if (ageNanosMax < 1) {
            throw new IllegalArgumentException("ageNanosMax " + ageNanosMax + " < 1");
        }
        this.perNodeMax = perNodeMax;
        this.ageNanosMax = ageNanosMax;
    }

    /** Keeps a write, unless a newer one of its key is kept already. */
    public void keep(String node, String key, Version version, W write, long nowNanos) {
        LinkedHashMap<String, Hint<W>> hints = byNode.computeIfAbsent(node, id -> new LinkedHashMap<>());
        Hint<W> earlier = hints.get(key);
        if (earlier != null && earlier.version().compareTo(version) >= 0) {
            return;
        }
        hints.remove(key);
        hints.put(key, new Hint<>(write, version, nowNanos));
        if (hints.size() > perNodeMax) {
            Iterator<String> oldest = hints.keySet().iterator();
            oldest.next();
            oldest.remove();
            dropped++;
        }
    }

    /** Takes out the oldest writes kept for a node; the caller keeps again what could not be delivered. */
    public List<W> take(String node, int max, long nowNanos) {
        List<W> taken = new ArrayList<>();
        LinkedHashMap<String, Hint<W>> hints = byNode.get(node);
        if (hints == null) {
            return taken;
        }
        Iterator<Hint<W>> iterator = hints.values().iterator();
        while (taken.size() < max && iterator.hasNext()) {
            Hint<W> hint = iterator.next();
            iterator.remove();
            if (nowNanos - hint.atNanos() > ageNanosMax) {
                dropped++;
            } else {
                taken.add(hint.write());
            }
        }
        if (hints.isEmpty()) {
            byNode.remove(node);
        }
        return taken;
    }

    /** Forgets a node that will not come back. */
    public void forget(String node) {
        Map<String, Hint<W>> hints = byNode.remove(node);
        dropped += hints == null ? 0 : hints.size();
    }

    public int size(String node) {
        Map<String, Hint<W>> hints = byNode.get(node);
        return hints == null ? 0 : hints.size();
    }

    /** Hints that were not delivered because there were too many or they grew too old. */
    public long dropped() {
        return dropped;
    }
}
