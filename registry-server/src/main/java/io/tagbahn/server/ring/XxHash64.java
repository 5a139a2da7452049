// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

/**
 * XXH64 of a text's UTF-16 code units in little-endian order, so that no bytes have to be made of it first.
 *
 * <p>Source: xxHash fast digest algorithm, specification 0.1.1, Y. Collet.
 */
final class XxHash64 {

    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_3 = 0x165667B19E3779F9L;
    private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME_5 = 0x27D4EB2F165667C5L;

    /** A stripe is 32 bytes. */
    private static final int STRIPE_CHARS = 16;

    private static final int LANE_CHARS = 4;

    private XxHash64() {}

    static long hash(CharSequence text, long seed) {
        int length = text.length();
        int at = 0;
        long hash;
        if (length >= STRIPE_CHARS) {
            long a = seed + PRIME_1 + PRIME_2;
            long b = seed + PRIME_2;
            long c = seed;
            long d = seed - PRIME_1;
            do {
                a = round(a, lane(text, at));
                b = round(b, lane(text, at + LANE_CHARS));
                c = round(c, lane(text, at + 2 * LANE_CHARS));
                d = round(d, lane(text, at + 3 * LANE_CHARS));
                at += STRIPE_CHARS;
            } while (at <= length - STRIPE_CHARS);
            hash = Long.rotateLeft(a, 1) + Long.rotateLeft(b, 7) + Long.rotateLeft(c, 12) + Long.rotateLeft(d, 18);
            hash = merged(merged(merged(merged(hash, a), b), c), d);
        } else {
            hash = seed + PRIME_5;
        }
        return mixed(withRest(hash + 2L * length, text, at));
    }

    /** XXH64 of the eight bytes of a number in little-endian order. */
    static long hash(long number, long seed) {
        long hash = seed + PRIME_5 + 8 ^ round(0, number);
        return mixed(Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4);
    }

    private static long withRest(long start, CharSequence text, int from) {
        long hash = start;
        int at = from;
        for (; at <= text.length() - LANE_CHARS; at += LANE_CHARS) {
            hash = Long.rotateLeft(hash ^ round(0, lane(text, at)), 27) * PRIME_1 + PRIME_4;
        }
        if (at <= text.length() - 2) {
            long pair = text.charAt(at) | (long) text.charAt(at + 1) << 16;
            hash = Long.rotateLeft(hash ^ pair * PRIME_1, 23) * PRIME_2 + PRIME_3;
            at += 2;
        }
        if (at < text.length()) {
            hash = Long.rotateLeft(hash ^ (text.charAt(at) & 0xFF) * PRIME_5, 11) * PRIME_1;
            hash = Long.rotateLeft(hash ^ (text.charAt(at) >>> 8) * PRIME_5, 11) * PRIME_1;
        }
        return hash;
    }

    private static long lane(CharSequence text, int at) {
        return text.charAt(at)
                | (long) text.charAt(at + 1) << 16
                | (long) text.charAt(at + 2) << 32
                | (long) text.charAt(at + 3) << 48;
    }

    private static long round(long accumulator, long lane) {
        return Long.rotateLeft(accumulator + lane * PRIME_2, 31) * PRIME_1;
    }

    private static long merged(long hash, long accumulator) {
        return (hash ^ round(0, accumulator)) * PRIME_1 + PRIME_4;
    }

    private static long mixed(long hash) {
        long mixed = (hash ^ hash >>> 33) * PRIME_2;
        mixed = (mixed ^ mixed >>> 29) * PRIME_3;
        return mixed ^ mixed >>> 32;
    }
}
