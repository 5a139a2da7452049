// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The points of all members' virtual nodes on a circle of 64-bit numbers, an immutable snapshot.
 *
 * <p>A key belongs to the first point at or after its hash. A member has points in proportion to its weight; the
 * first points stay where they are when the weight changes, so that only the share that changes moves. Points that
 * coincide are ordered by their members' ids, in the order of UTF-16 code units, and stay when the other one goes.
 */
public final class Ring {

    /** Points of a member of usual weight; docs/decisions/0006-ring.md has the figures. */
    public static final int POINTS_USUAL = 512;

    private static final Comparator<RingMember> BY_ID = Comparator.comparing(RingMember::id);
    private static final long KEY_SEED = 0;
    private static final long MEMBER_SEED = 1;

    private final int pointsUsual;
    private final SortedMap<String, RingMember> byId;

    /** In the order of their ids. */
    private final RingMember[] members;

    private final Points points;

    private final int zones;
    private final boolean unzoned;
    /** Of each member; counted when somebody asks. */
    private volatile double @Nullable [] shares;

    private Ring(int pointsUsual, SortedMap<String, RingMember> byId, Points points) {
        this.pointsUsual = pointsUsual;
        this.byId = byId;
        this.members = byId.values().toArray(RingMember[]::new);
        this.points = points;
        this.zones = (int) byId.values().stream()
                .map(RingMember::zone)
                .flatMap(Optional::stream)
                .distinct()
                .count();
        this.unzoned = byId.values().stream().anyMatch(member -> member.zone().isEmpty());
    }

    public static Ring empty() {
        return empty(POINTS_USUAL);
    }

    /** @param pointsUsual points of a member of usual weight; all nodes have to use the same */
    public static Ring empty(int pointsUsual) {
        if (pointsUsual < 1 || pointsUsual > 65_536) {
            throw new IllegalArgumentException("pointsUsual " + pointsUsual + " is not within 1..65536");
        }
        return new Ring(pointsUsual, new TreeMap<>(), Points.NONE);
    }

    /** The ring of these members. */
    public static Ring of(Collection<RingMember> members) {
        return of(POINTS_USUAL, members);
    }

    /** The ring of these members, with another number of points. */
    public static Ring of(int pointsUsual, Collection<RingMember> members) {
        return merged(empty(pointsUsual), byId(members));
    }

    /** A ring of given points, one for each unit of weight: for points that coincide, which hashes hardly ever do. */
    static Ring ofPoints(Map<String, long[]> pointsById) {
        TreeMap<String, RingMember> byId = new TreeMap<>();
        List<Points> all = new ArrayList<>();
        for (Map.Entry<String, long[]> entry : new TreeMap<>(pointsById).entrySet()) {
            all.add(Points.of(byId.size(), entry.getValue()));
            // Of so many points that the members are taken to be unchanged when others come or go.
            int weight = entry.getValue().length * RingMember.WEIGHT_USUAL;
            byId.put(entry.getKey(), new RingMember(entry.getKey(), Optional.empty(), weight));
        }
        return new Ring(1, byId, Points.merged(all));
    }

    /** The ring of these members, which costs less the fewer of them differ from this one's. */
    public Ring withMembers(Collection<RingMember> newMembers) {
        SortedMap<String, RingMember> changed = byId(newMembers);
        return changed.equals(byId) ? this : merged(this, changed);
    }

    /** Whether these are its members. */
    public boolean isOf(Collection<RingMember> others) {
        return byId(others).equals(byId);
    }

    private static SortedMap<String, RingMember> byId(Collection<RingMember> members) {
        TreeMap<String, RingMember> byId = new TreeMap<>();
        for (RingMember member : members) {
            if (byId.put(member.id(), member) != null) {
                throw new IllegalArgumentException("two members of id " + member.id());
            }
        }
        return byId;
    }

    /** This ring with a member more, or with another weight or zone of one that is there. */
    public Ring with(RingMember member) {
        if (member.equals(byId.get(member.id()))) {
            return this;
        }
        TreeMap<String, RingMember> changed = new TreeMap<>(byId);
        changed.put(member.id(), member);
        return merged(this, changed);
    }

    /** This ring without a member. */
    public Ring without(String id) {
        if (!byId.containsKey(id)) {
            return this;
        }
        TreeMap<String, RingMember> changed = new TreeMap<>(byId);
        changed.remove(id);
        return merged(this, changed);
    }

    /** Keeps the points of members that stay as they are, and merges those of new ones between them. */
    private static Ring merged(Ring old, SortedMap<String, RingMember> byId) {
        RingMember[] members = byId.values().toArray(RingMember[]::new);
        int[] places = new int[old.members.length];
        Arrays.fill(places, -1);
        List<Points> fresh = new ArrayList<>();
        int kept = 0;
        for (int i = 0; i < members.length; i++) {
            int count = old.pointsOf(members[i]);
            int before = Arrays.binarySearch(old.members, members[i], BY_ID);
            if (before >= 0 && old.pointsOf(old.members[before]) == count) {
                places[before] = i;
                kept += count;
            } else {
                fresh.add(Points.of(i, pointsOf(members[i].id(), count)));
            }
        }
        return new Ring(old.pointsUsual, byId, old.points.kept(places, kept).with(Points.merged(fresh)));
    }

    private static long[] pointsOf(String id, int count) {
        long base = XxHash64.hash(id, MEMBER_SEED);
        long[] at = new long[count];
        for (int p = 0; p < count; p++) {
            at[p] = XxHash64.hash(p, base);
        }
        return at;
    }

    private int pointsOf(RingMember member) {
        return (int) Math.max(1, Math.round((double) pointsUsual * member.weight() / RingMember.WEIGHT_USUAL));
    }

    /** The members, in the order of their ids. */
    public List<RingMember> members() {
        return List.of(members);
    }

    public Optional<RingMember> member(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    public boolean isEmpty() {
        return members.length == 0;
    }

    public int size() {
        return members.length;
    }

    /** How many zones are known. */
    int zones() {
        return zones;
    }

    /** Whether the zone of some member is unknown. */
    boolean hasUnzoned() {
        return unzoned;
    }

    /** The ids of all members, in their order. */
    public Set<String> ids() {
        return Collections.unmodifiableSet(byId.keySet());
    }

    int pointCount() {
        return points.count();
    }

    RingMember memberAt(int place) {
        return members[place];
    }

    int holder(int point) {
        return points.holder(point);
    }

    static long hash(CharSequence key) {
        return XxHash64.hash(key, KEY_SEED);
    }

    /** The first point at or after a hash, round the circle; the ring must not be empty. */
    int firstPoint(long hash) {
        int first = points.firstFrom(hash);
        return first == points.count() ? 0 : first;
    }

    /** The share of all hashes, 0..1, whose first owner is this member; 0 where it isn't on the ring. */
    public double share(String id) {
        RingMember member = byId.get(id);
        if (member == null) {
            return 0;
        }
        double[] known = shares;
        if (known == null) {
            known = countShares();
            shares = known;
        }
        return known[Arrays.binarySearch(members, member, BY_ID)];
    }

    private double[] countShares() {
        if (members.length == 1) {
            return new double[] {1};
        }
        double[] counted = new double[members.length];
        for (int i = 0; i < points.count(); i++) {
            // The arc from the point before, unsigned and round the circle.
            counted[points.holder(i)] += arc(points.at(i == 0 ? points.count() - 1 : i - 1), points.at(i));
        }
        return counted;
    }

    private static double arc(long from, long to) {
        long length = to - from;
        return ((length >>> 1) * 2.0 + (length & 1)) / 0x1p64;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ring ring && pointsUsual == ring.pointsUsual && byId.equals(ring.byId);
    }

    @Override
    public int hashCode() {
        return 31 * pointsUsual + byId.hashCode();
    }

    @Override
    public String toString() {
        return "Ring" + byId.values();
    }
}
