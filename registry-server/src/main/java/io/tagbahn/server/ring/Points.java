// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Queue;

/**
 * Points on the circle in their order, and for each the place of the member that holds it among the members in the order
 * of their ids, which is the order of points that coincide.
 */
final class Points {

    static final Points NONE = new Points(new long[0], new int[0]);

    /** Ascending as unsigned numbers. */
    private final long[] at;

    private final int[] holders;

    private Points(long[] at, int[] holders) {
        this.at = at;
        this.holders = holders;
    }

    int count() {
        return at.length;
    }

    long at(int place) {
        return at[place];
    }

    int holder(int place) {
        return holders[place];
    }

    /** The points of one member, given in any order. */
    static Points of(int holder, long[] points) {
        long[] at = new long[points.length];
        for (int i = 0; i < at.length; i++) {
            at[i] = points[i] ^ Long.MIN_VALUE;
        }
        // Of numbers, not of objects: many members that come at once have many thousand points.
        Arrays.sort(at);
        for (int i = 0; i < at.length; i++) {
            at[i] ^= Long.MIN_VALUE;
        }
        int[] holders = new int[at.length];
        Arrays.fill(holders, holder);
        return new Points(at, holders);
    }

    /** All of them; no member has points in two. */
    static Points merged(Collection<Points> parts) {
        Queue<Points> left = new ArrayDeque<>(parts);
        while (left.size() > 1) {
            left.add(left.remove().with(left.remove()));
        }
        return left.isEmpty() ? NONE : left.remove();
    }

    /**
     * The points of those members that stay.
     *
     * @param places new place of each member, negative where it doesn't stay
     * @param count of the points that are left
     */
    Points kept(int[] places, int count) {
        long[] keptAt = new long[count];
        int[] keptHolders = new int[count];
        int n = 0;
        for (int i = 0; i < at.length; i++) {
            int place = places[holders[i]];
            if (place >= 0) {
                keptAt[n] = at[i];
                keptHolders[n++] = place;
            }
        }
        return new Points(keptAt, keptHolders);
    }

    /** The first point at or after a hash, or as many as there are. */
    int firstFrom(long hash) {
        int low = 0;
        int high = at.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(at[middle], hash) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** These and the others, of which no member has points here. */
    Points with(Points others) {
        if (others.at.length == 0) {
            return this;
        }
        int total = Math.addExact(at.length, others.at.length);
        long[] allAt = new long[total];
        int[] allHolders = new int[total];
        int mine = 0;
        int theirs = 0;
        for (int n = 0; n < total; n++) {
            if (theirs == others.at.length || (mine < at.length && isBefore(mine, others, theirs))) {
                allAt[n] = at[mine];
                allHolders[n] = holders[mine++];
            } else {
                allAt[n] = others.at[theirs];
                allHolders[n] = others.holders[theirs++];
            }
        }
        return new Points(allAt, allHolders);
    }

    private boolean isBefore(int place, Points other, int otherPlace) {
        int order = Long.compareUnsigned(at[place], other.at[otherPlace]);
        return order < 0 || (order == 0 && holders[place] < other.holders[otherPlace]);
    }
}
