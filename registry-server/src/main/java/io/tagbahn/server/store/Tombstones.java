// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The newest generations of instances that are gone, so that a late message can't bring them back.
 *
 * <p>A ring of fixed size, allocated at once: a node that sees many short-lived instances needs no more memory than one
 * that sees none. Where the ring is full, the oldest gives way before its time. They are found by 64-bit hashes of the
 * ids: should two ever collide, one of them has to come with a generation above the other's. The ids themselves are kept
 * as bytes, for other nodes.
 */
final class Tombstones {

    private static final long NANOS_PER_MILLI = 1_000_000;
    /** What an id takes on average; where they are longer, fewer are remembered. */
    private static final int ID_BYTES = 48;
    /** More than the longest id has, for rings of a few. */
    private static final int ID_BYTES_LEAST = 1 << 12;

    private static final int NONE = -1;

    private final long lifetimeNanos;
    private final long[] hashes;
    private final long[] generations;
    private final long[] forgottenAtNanos;
    private final BitSet ended;
    /** Open addressing: position in the ring plus one, 0 where free; twice to four times as long as the ring. */
    private final int[] table;

    /** Ids one after the other, round and round. */
    private final byte[] idBytes;

    private final int[] idStart;
    private final int[] idLength;
    private int idBytesUsed;

    /** Those of a bucket, oldest first: its first and last position, and the way from one to the next. */
    private final int[] bucketFirst = new int[Buckets.COUNT];

    private final int[] bucketLast = new int[Buckets.COUNT];
    private final int[] bucketNext;

    private int oldest;
    private int count;

    Tombstones(int countMax, long lifetimeNanos) {
        this.lifetimeNanos = lifetimeNanos;
        hashes = new long[countMax];
        generations = new long[countMax];
        forgottenAtNanos = new long[countMax];
        ended = new BitSet(countMax);
        table = new int[Integer.highestOneBit(countMax) * 4];
        idBytes = new byte[(int) Math.max(ID_BYTES_LEAST, Math.min(Integer.MAX_VALUE - 8, (long) ID_BYTES * countMax))];
        idStart = new int[countMax];
        idLength = new int[countMax];
        bucketNext = new int[countMax];
        Arrays.fill(bucketFirst, NONE);
        Arrays.fill(bucketLast, NONE);
    }

    int count() {
        return count;
    }

    /** The generation below and at which nothing may bring the instance back; 0 where none is remembered. */
    long newest(InstanceId id, long nowNanos) {
        int position = find(id, nowNanos);
        return position == NONE ? 0 : generations[position];
    }

    /** Whether the newest generation ended with its lease, so that a home where the lease goes on knows better. */
    boolean isEnded(InstanceId id, long nowNanos) {
        int position = find(id, nowNanos);
        return position != NONE && ended.get(position);
    }

    /** What is remembered of an instance. */
    Optional<Tombstone> get(InstanceId id, long nowNanos) {
        int position = find(id, nowNanos);
        return position == NONE ? Optional.empty() : Optional.of(tombstone(id, position, nowNanos));
    }

    /** All of a bucket, in the order of ids. */
    List<Tombstone> sorted(int bucket, long nowNanos) {
        forget(nowNanos);
        List<Tombstone> sorted = new ArrayList<>();
        for (int position = bucketFirst[bucket]; position != NONE; position = bucketNext[position]) {
            // A newer tombstone of the same instance may have taken the slot.
            if (table[slotOf(hashes[position])] == position + 1 && forgottenAtNanos[position] - nowNanos > 0) {
                sorted.add(tombstone(id(position), position, nowNanos));
            }
        }
        sorted.sort(Comparator.comparing(Tombstone::id));
        return sorted;
    }

    private int find(InstanceId id, long nowNanos) {
        forget(nowNanos);
        int position = table[slotOf(hash(id))] - 1;
        // One that another node handed over may be forgotten before those that stand in front of it.
        return position >= 0 && forgottenAtNanos[position] - nowNanos > 0 ? position : NONE;
    }

    private Tombstone tombstone(InstanceId id, int position, long nowNanos) {
        return new Tombstone(
                id,
                generations[position],
                ended.get(position),
                (forgottenAtNanos[position] - nowNanos) / NANOS_PER_MILLI);
    }

    /** Remembers that the instance was deregistered, up to this generation. */
    void put(InstanceId id, long generation, long nowNanos) {
        put(id, generation, false, Long.MAX_VALUE, nowNanos);
    }

    /**
     * Remembers that the instance is gone, up to this generation.
     *
     * @param keptMillis for how long, where that is less than usual
     */
    void put(InstanceId id, long generation, boolean leaseEnded, long keptMillis, long nowNanos) {
        long before = newest(id, nowNanos);
        long newest = Math.max(generation, before);
        boolean byLease = (newest == before && before != 0) ? isEnded(id, nowNanos) : leaseEnded;
        if (generation == before && !leaseEnded) {
            byLease = false;
        }
        byte[] text = id.value().getBytes(StandardCharsets.UTF_8);
        while (count == hashes.length || idBytesUsed + text.length > idBytes.length) {
            forgetOldest();
        }
        long kept = keptMillis >= lifetimeNanos / NANOS_PER_MILLI ? lifetimeNanos : keptMillis * NANOS_PER_MILLI;
        long hash = hash(id);
        int replaced = table[slotOf(hash)] - 1;
        long keptBefore = before == 0 || replaced < 0 ? 0 : forgottenAtNanos[replaced] - nowNanos;
        int position = (oldest + count) % hashes.length;
        write(position, text);
        count++;
        hashes[position] = hash;
        generations[position] = newest;
        forgottenAtNanos[position] = nowNanos + Math.max(kept, keptBefore);
        ended.set(position, byLease);
        table[slotOf(hash)] = position + 1;
        chain(position, Buckets.of(id));
    }

    private void chain(int position, int bucket) {
        bucketNext[position] = NONE;
        if (bucketLast[bucket] == NONE) {
            bucketFirst[bucket] = position;
        } else {
            bucketNext[bucketLast[bucket]] = position;
        }
        bucketLast[bucket] = position;
    }

    private void write(int position, byte[] text) {
        int start = count == 0 ? 0 : (idStart[oldest] + idBytesUsed) % idBytes.length;
        int first = Math.min(text.length, idBytes.length - start);
        System.arraycopy(text, 0, idBytes, start, first);
        System.arraycopy(text, first, idBytes, 0, text.length - first);
        idStart[position] = start;
        idLength[position] = text.length;
        idBytesUsed += text.length;
    }

    private InstanceId id(int position) {
        byte[] text = new byte[idLength[position]];
        int first = Math.min(text.length, idBytes.length - idStart[position]);
        System.arraycopy(idBytes, idStart[position], text, 0, first);
        System.arraycopy(idBytes, 0, text, first, text.length - first);
        return new InstanceId(new String(text, StandardCharsets.UTF_8));
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
        int bucket = Buckets.of(id(oldest));
        bucketFirst[bucket] = bucketNext[oldest];
        if (bucketFirst[bucket] == NONE) {
            bucketLast[bucket] = NONE;
        }
        idBytesUsed -= idLength[oldest];
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
        return ContentHash.of(id.value());
    }
}
