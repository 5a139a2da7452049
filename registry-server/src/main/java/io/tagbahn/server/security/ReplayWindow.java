// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The packets of each sender that were opened: a window of numbers below the highest one, as in IPsec (RFC 4303,
 * 3.4.3). What is behind it is taken for old.
 *
 * <p>Only packets that a key has opened are noted, so that strangers can't fill it.
 */
final class ReplayWindow {

    /** Senders remembered, the latest heard ones; each start of a process is one. */
    static final int SENDERS_MAX = 8_192;

    /** Packets of one sender that may overtake each other. */
    static final int WIDTH = 1_024;

    private static final class Seen {
        private long highest = -1;
        private final long[] bits = new long[WIDTH / Long.SIZE];
    }

    private final Map<Long, Seen> senders = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Seen> eldest) {
            return size() > SENDERS_MAX;
        }
    };

    /** Notes a packet; whether it is the first of this number. */
    boolean take(long sender, long number) {
        Seen seen = senders.computeIfAbsent(sender, first -> new Seen());
        if (number <= seen.highest - WIDTH) {
            return false;
        }
        if (number > seen.highest) {
            clear(seen, number);
            seen.highest = number;
        }
        int at = (int) (number % WIDTH);
        long bit = 1L << (at % Long.SIZE);
        if ((seen.bits[at / Long.SIZE] & bit) != 0) {
            return false;
        }
        seen.bits[at / Long.SIZE] |= bit;
        return true;
    }

    /** The places of the numbers that are passed belong to older ones. */
    private static void clear(Seen seen, long upTo) {
        long from = Math.max(seen.highest + 1, upTo - WIDTH + 1);
        for (long number = from; number <= upTo; number++) {
            int at = (int) (number % WIDTH);
            seen.bits[at / Long.SIZE] &= ~(1L << (at % Long.SIZE));
        }
    }

    int senders() {
        return senders.size();
    }
}
