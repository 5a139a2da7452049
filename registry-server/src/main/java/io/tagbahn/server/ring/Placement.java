// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The choice of each key's owners on a ring, an immutable snapshot.
 *
 * <p>The owners are different members, first of all of different zones: round the ring from the key's hash, members of
 * zones that have no owner yet are taken until there are enough or no zone is left, then the nearest others. A member
 * of unknown zone shares its zone with nobody.
 */
public final class Placement {

    /** Most owners of a key. */
    public static final int REPLICAS_MAX = 64;

    private final Ring ring;
    private final int replicas;

    /**
     * Made when the first key's owners are asked for, since many rings pass unasked while nodes join. Of any thread: an
     * immutable list is seen whole or not at all, and two threads work out the same.
     */
    private volatile @Nullable List<String> @Nullable [] ownersByPoint;

    /** @param replicas owners of each key, as far as there are members */
    public Placement(Ring ring, int replicas) {
        if (replicas < 1 || replicas > REPLICAS_MAX) {
            throw new IllegalArgumentException("replicas " + replicas + " is not within 1.." + REPLICAS_MAX);
        }
        this.ring = ring;
        this.replicas = replicas;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of a type with parameters
    private static @Nullable List<String>[] lists(int count) {
        return new List[count];
    }

    public Ring ring() {
        return ring;
    }

    public int replicas() {
        return replicas;
    }

    /** The ids of the members that own a key, the first owner first; empty where the ring is. */
    public List<String> owners(CharSequence key) {
        if (ring.isEmpty()) {
            return List.of();
        }
        return ownersAt(ring.firstPoint(Ring.hash(key)));
    }

    /** The owners of the arc that ends in a point, worked out when they are asked for first. */
    private List<String> ownersAt(int point) {
        @Nullable List<String>[] byPoint = ownersByPoint;
        if (byPoint == null) {
            byPoint = lists(ring.pointCount());
            ownersByPoint = byPoint;
        }
        List<String> known = byPoint[point];
        if (known == null) {
            int[] places = places(point);
            String[] ids = new String[places.length];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = ring.memberAt(places[i]).id();
            }
            known = List.of(ids);
            byPoint[point] = known;
        }
        return known;
    }

    /** Whether each member owns every key, as in small clusters. */
    public boolean isAllOwnAll() {
        return replicas >= ring.size();
    }

    /** Whether a member is among the owners of a key. */
    public boolean owns(String id, CharSequence key) {
        if (isAllOwnAll()) {
            return ring.member(id).isPresent();
        }
        return !ring.isEmpty() && ownersAt(ring.firstPoint(Ring.hash(key))).contains(id);
    }

    /** The owners of the arc that ends in a point. */
    private int[] places(int first) {
        int[] chosen = new int[Math.min(replicas, ring.size())];
        int count = 0;
        int points = ring.pointCount();
        int zonesLeft = ring.zones();
        // Without zones, any member will do at once.
        boolean anyZone = zonesLeft == 0;
        for (int pass = anyZone ? 1 : 0; pass < 2 && count < chosen.length; pass++) {
            for (int i = 0; i < points && count < chosen.length; i++) {
                int place = ring.holder(first + i < points ? first + i : first + i - points);
                if (contains(chosen, count, place)) {
                    continue;
                }
                if (pass == 1) {
                    chosen[count++] = place;
                } else if (!zoneTaken(chosen, count, place)) {
                    chosen[count++] = place;
                    if (ring.memberAt(place).zone().isPresent() && --zonesLeft == 0 && !ring.hasUnzoned()) {
                        break;
                    }
                }
            }
        }
        return chosen;
    }

    private static boolean contains(int[] chosen, int count, int place) {
        for (int i = 0; i < count; i++) {
            if (chosen[i] == place) {
                return true;
            }
        }
        return false;
    }

    private boolean zoneTaken(int[] chosen, int count, int place) {
        RingMember member = ring.memberAt(place);
        if (member.zone().isEmpty()) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (ring.memberAt(chosen[i]).zone().equals(member.zone())) {
                return true;
            }
        }
        return false;
    }

    /** Whether each key has an owner among these members. */
    public boolean coversAll(Set<String> usable) {
        for (int point = 0; point < ring.pointCount(); point++) {
            boolean covered = false;
            for (int place : places(point)) {
                covered |= usable.contains(ring.memberAt(place).id());
            }
            if (!covered) {
                return false;
            }
        }
        return true;
    }

    /**
     * A small set of members that together own every key, for questions about all keys: members of {@code preferred}
     * as far as they serve as well as others.
     *
     * @param usable ids of the members that may be asked; keys that none of them owns are left out
     */
    public Set<String> cover(Set<String> usable, Set<String> preferred) {
        int points = ring.pointCount();
        BitSet[] owned = new BitSet[ring.size()];
        for (int i = 0; i < owned.length; i++) {
            owned[i] = new BitSet(points);
        }
        for (int point = 0; point < points; point++) {
            for (int place : places(point)) {
                owned[place].set(point);
            }
        }
        BitSet missing = new BitSet(points);
        missing.set(0, points);
        Set<String> cover = new LinkedHashSet<>();
        int[] gains = new int[owned.length];
        Arrays.fill(gains, Integer.MAX_VALUE);
        while (!missing.isEmpty()) {
            int best = mostGaining(owned, missing, gains, usable, preferred);
            if (best < 0) {
                break;
            }
            cover.add(ring.memberAt(best).id());
            missing.andNot(owned[best]);
            gains[best] = 0;
        }
        return cover;
    }

    /** Gains only shrink as the cover grows, so a member whose last known gain is too small needs no new look. */
    private int mostGaining(BitSet[] owned, BitSet missing, int[] gains, Set<String> usable, Set<String> preferred) {
        int best = -1;
        for (int i = 0; i < owned.length; i++) {
            String id = ring.memberAt(i).id();
            if (gains[i] == 0 || !usable.contains(id) || (best >= 0 && gains[i] < gains[best])) {
                continue;
            }
            BitSet gain = (BitSet) owned[i].clone();
            gain.and(missing);
            gains[i] = gain.cardinality();
            boolean preferredToBest = best >= 0
                    && gains[i] == gains[best]
                    && preferred.contains(id)
                    && !preferred.contains(ring.memberAt(best).id());
            if (gains[i] > 0 && (best < 0 || gains[i] > gains[best] || preferredToBest)) {
                best = i;
            }
        }
        return best;
    }
}
