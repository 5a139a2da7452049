// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A summary of the entries that two nodes share: a number for each bucket of keys, the same for the same entries in any
 * order. Entries are added and taken out one at a time; owned by one thread.
 */
public final class Digest {

    /** Most buckets; their numbers make 512 KB. */
    public static final int BUCKETS_MAX = 65_536;

    private final long[] buckets;

    /** @param buckets a power of two */
    public Digest(int buckets) {
        if (buckets < 1 || buckets > BUCKETS_MAX || Integer.bitCount(buckets) != 1) {
            throw new IllegalArgumentException("buckets " + buckets + " is no power of two within 1.." + BUCKETS_MAX);
        }
        this.buckets = new long[buckets];
    }

    /** The digest that another node sent. */
    public static Digest of(long[] numbers) {
        Digest digest = new Digest(numbers.length);
        System.arraycopy(numbers, 0, digest.buckets, 0, numbers.length);
        return digest;
    }

    public void add(String key, Version version) {
        long hash = hash(key);
        buckets[place(hash)] += mixed(hash, version);
    }

    public void remove(String key, Version version) {
        long hash = hash(key);
        buckets[place(hash)] -= mixed(hash, version);
    }

    /** The bucket of a key. */
    public int bucket(String key) {
        return place(hash(key));
    }

    /** One number for all: where two roots are equal, so are the digests. */
    public long root() {
        long root = buckets.length;
        for (long bucket : buckets) {
            root = finished(root * 0x9E3779B97F4A7C15L + bucket);
        }
        return root;
    }

    public long[] numbers() {
        return buckets.clone();
    }

    /** The buckets in which the two differ; both must have as many. */
    public BitSet differing(Digest other) {
        if (buckets.length != other.buckets.length) {
            throw new IllegalArgumentException(buckets.length + " buckets against " + other.buckets.length);
        }
        BitSet differing = new BitSet(buckets.length);
        for (int i = 0; i < buckets.length; i++) {
            differing.set(i, buckets[i] != other.buckets[i]);
        }
        return differing;
    }

    private int place(long hash) {
        return (int) (hash >>> 40) & (buckets.length - 1);
    }

    private static long mixed(long keyHash, Version version) {
        return finished(finished(keyHash ^ version.generation()) + version.contentHash());
    }

    private static long hash(String key) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x100000001B3L;
        }
        return finished(hash);
    }

    private static long finished(long value) {
        long mixed = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ mixed >>> 33;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Digest digest && Arrays.equals(buckets, digest.buckets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(buckets);
    }
}
