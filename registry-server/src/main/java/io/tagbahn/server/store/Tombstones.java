// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import java.util.BitSet;

/**
 * The newest generations of instances that are gone, so that a late message can't bring them back.
 *
 * <p>A ring of fixed size, allocated at once: a node that sees many short-lived instances needs no more memory than one
 * that sees none. Each tombstone lives for the same time; where the ring is full, the oldest gives way before its time.
 * Ids are kept as 64-bit hashes: should two ever collide, one of them has to come with a generation above the other's.
 */
final class Tombstones {

    private final long lifetimeNanos;
    private final long[] hashes;
    private final long[] generations;
    private final long[] forgottenAtNanos;
    private final BitSet ended;
    /** Open addressing: position in the ring plus one, 0 where free; twice to four times as long as the ring. */
    private final int[] table;

    private int oldest;
    private int count;

    Tombstones(int countMax, long lifetimeNanos) {
        this.lifetimeNanos = lifetimeNanos;
        hashes = new long[countMax];
        generations = new long[countMax];
        forgottenAtNanos = new long[countMax];
        ended = new BitSet(countMax);
        table = new int[Integer.highestOneBit(countMax) * 4];
    }

    int count() {
        return count;
    }

    /** The generation below and at which nothing may bring the instance back; 0 where none is remembered. */
    long newest(InstanceId id, long nowNanos) {
        forget(nowNanos);
        int slot = slotOf(hash(id));
        return table[slot] == 0 ? 0 : generations[table[slot] - 1];
    }

    /** Whether the newest generation ended with its lease, so that a home where the lease goes on knows better. */
    boolean isEnded(InstanceId id, long nowNanos) {
        forget(nowNanos);
        int slot = slotOf(hash(id));
        return table[slot] != 0 && ended.get(table[slot] - 1);
    }

    /** Remembers that the instance was deregistered, up to this generation. */
    void put(InstanceId id, long generation, long nowNanos) {
        put(id, generation, false, nowNanos);
    }

    /** Remembers that the instance is gone, up to this generation. */
    void put(InstanceId id, long generation, boolean leaseEnded, long nowNanos) {
        long before = newest(id, nowNanos);
        long newest = Math.max(generation, before);
        boolean byLease = (newest == before && before != 0) ? isEnded(id, nowNanos) : leaseEnded;
        if (generation == before && !leaseEnded) {
            byLease = false;
        }
        if (count == hashes.length) {
            forgetOldest();
        }
        int position = (oldest + count) % hashes.length;
        count++;
        long hash = hash(id);
        hashes[position] = hash;
        generations[position] = newest;
        forgottenAtNanos[position] = nowNanos + lifetimeNanos;
        ended.set(position, byLease);
        table[slotOf(hash)] = position + 1;
    }

    /** Forgets what has been remembered long enough. */
    void forget(long nowNanos) {
        while (count > 0 && forgottenAtNanos[oldest] - nowNanos <= 0) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        int slot = slotOf(hashes[oldest]);
        // A newer tombstone of the same instance may have taken the slot.
        if (table[slot] == oldest + 1) {
            free(slot);
        }
        oldest = (oldest + 1) % hashes.length;
        count--;
    }

    /** The slot of the hash, or the free one where it would go. */
    private int slotOf(long hash) {
        int slot = home(hash);
        while (table[slot] != 0 && hashes[table[slot] - 1] != hash) {
            slot = (slot + 1) & (table.length - 1);
        }
        return slot;
    }

    private int home(long hash) {
        return (int) (hash >>> 32) & (table.length - 1);
    }

    /** Empties a slot and moves those up that were only behind it because it was taken. */
    private void free(int slot) {
        int mask = table.length - 1;
        int hole = slot;
        int at = (slot + 1) & mask;
        while (table[at] != 0) {
            int home = home(hashes[table[at] - 1]);
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                table[hole] = table[at];
                hole = at;
            }
            at = (at + 1) & mask;
        }
        table[hole] = 0;
    }

    private static long hash(InstanceId id) {
        String text = id.value();
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
