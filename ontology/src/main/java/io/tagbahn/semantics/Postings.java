// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Arrays;

/** For each class that occurs at one position, the tags in which it does, in ascending order. */
final class Postings {

    private final IntMap slotOfClass;
    private final int[] classes;
    private final int[] starts;
    private final int[] tags;

    /** @param classOfTag the class at the position, or a negative number where the tag has no such position */
    Postings(int[] classOfTag) {
        IntMap slots = new IntMap(64);
        int[] found = new int[64];
        int[] counts = new int[64];
        int total = 0;
        for (int c : classOfTag) {
            if (c < 0) {
                continue;
            }
            int slot = slots.get(c);
            if (slot == IntMap.ABSENT) {
                slot = slots.size();
                slots.put(c, slot);
                if (slot == found.length) {
                    found = Arrays.copyOf(found, slot * 2);
                    counts = Arrays.copyOf(counts, slot * 2);
                }
                found[slot] = c;
            }
            counts[slot]++;
            total++;
        }
        slotOfClass = slots;
        classes = Arrays.copyOf(found, slots.size());
        starts = new int[slots.size() + 1];
        for (int slot = 0; slot < slots.size(); slot++) {
            starts[slot + 1] = starts[slot] + counts[slot];
        }
        tags = new int[total];
        int[] next = starts.clone();
        for (int tag = 0; tag < classOfTag.length; tag++) {
            if (classOfTag[tag] >= 0) {
                tags[next[slots.get(classOfTag[tag])]++] = tag;
            }
        }
    }

    /** Different classes that occur. */
    int slots() {
        return classes.length;
    }

    int classAt(int slot) {
        return classes[slot];
    }

    /** Where a class is kept; negative where it doesn't occur. */
    int slotOf(int someClass) {
        return slotOfClass.get(someClass);
    }

    int count(int slot) {
        return starts[slot + 1] - starts[slot];
    }

    int tag(int slot, int i) {
        return tags[starts[slot] + i];
    }
}
