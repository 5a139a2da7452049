// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Arrays;

/** The classes that lie on one side of a class, nearest first, without itself; and how far away each is. */
final class Reach {

    static final Reach NOTHING = new Reach(new int[0], new IntMap(0));

    private final int[] classes;
    private final IntMap distances;

    Reach(int[] classes, IntMap distances) {
        this.classes = classes;
        this.distances = distances;
    }

    int size() {
        return classes.length;
    }

    int classAt(int i) {
        return classes[i];
    }

    /** Axiom steps to a class; -1 where it isn't on this side. */
    int distance(int toClass) {
        return distances.get(toClass);
    }

    /** Collects a reach in the order of growing distance. */
    static final class Builder {

        private int[] found = new int[16];
        private final IntMap distances = new IntMap(16);
        private int size;

        boolean add(int reached, int distance) {
            if (distances.get(reached) != IntMap.ABSENT) {
                return false;
            }
            if (size == found.length) {
                found = Arrays.copyOf(found, size * 2);
            }
            found[size++] = reached;
            distances.put(reached, distance);
            return true;
        }

        /** Adds a class, or shortens the way to it. */
        void addNearest(int reached, int distance) {
            if (!add(reached, distance) && distances.get(reached) > distance) {
                distances.put(reached, distance);
            }
        }

        int size() {
            return size;
        }

        int classAt(int i) {
            return found[i];
        }

        int distance(int reached) {
            return distances.get(reached);
        }

        /** All that was added, without what it began with. */
        Reach withoutFirst() {
            if (size <= 1) {
                return NOTHING;
            }
            IntMap others = new IntMap(size);
            for (int i = 1; i < size; i++) {
                others.put(found[i], distances.get(found[i]));
            }
            return new Reach(Arrays.copyOfRange(found, 1, size), others);
        }
    }
}
