// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Claims waiting to be told: one for each member, the newest; those told least often go first, and among them the
 * latest.
 */
final class GossipQueue {

    // Never compared by value: the order alone tells items apart.
    @SuppressWarnings("ArrayRecordComponent")
    private record Item(byte[] encoded, String subject, int transmits, long order) {}

    private static final Comparator<Item> LEAST_TOLD_THEN_LATEST =
            Comparator.comparingInt(Item::transmits).thenComparing(Item::order, Comparator.reverseOrder());

    private static final int MISFITS_MAX = 4;

    private final int claimsMax;
    private final Counters counters;
    private final TreeSet<Item> items = new TreeSet<>(LEAST_TOLD_THEN_LATEST);
    private final Map<String, Item> bySubject = new HashMap<>();
    private long nextOrder;

    GossipQueue(int claimsMax, Counters counters) {
        this.claimsMax = claimsMax;
        this.counters = counters;
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    int size() {
        return items.size();
    }

    /** Takes up a claim in place of an earlier one about the same member. */
    void put(Claim claim) {
        drop(claim.subject());
        add(new Item(PacketCodec.encode(claim), claim.subject(), 0, nextOrder++));
        if (items.size() > claimsMax) {
            drop(items.last().subject());
            counters.increment(SwimCounter.GOSSIP_DROPPED);
        }
    }

    void drop(String subject) {
        Item item = bySubject.remove(subject);
        if (item != null) {
            items.remove(item);
        }
    }

    /** How often the claim about this member was told; at least {@code transmitsMax} where none is waiting. */
    int told(String subject, int transmitsMax) {
        Item item = bySubject.get(subject);
        return item == null ? transmitsMax : item.transmits();
    }

    /** Encoded claims that fit into so many bytes; each is told once more, and leaves after {@code transmitsMax}. */
    List<byte[]> take(int bytes, int transmitsMax) {
        List<Item> taken = new ArrayList<>();
        int rest = bytes;
        int misfits = 0;
        for (Item item : items) {
            if (item.encoded().length <= rest) {
                taken.add(item);
                rest -= item.encoded().length;
            } else if (++misfits == MISFITS_MAX) {
                break; // Looking on would cost more than the room is worth.
            }
        }
        List<byte[]> encoded = new ArrayList<>(taken.size());
        for (Item item : taken) {
            encoded.add(item.encoded());
            items.remove(item);
            bySubject.remove(item.subject());
            if (item.transmits() + 1 < transmitsMax) {
                add(new Item(item.encoded(), item.subject(), item.transmits() + 1, item.order()));
            }
        }
        return encoded;
    }

    private void add(Item item) {
        items.add(item);
        bySubject.put(item.subject(), item);
    }
}
