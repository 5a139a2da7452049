// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Arrays;

/** A map from non-negative ints to ints, by open addressing. Filled by one thread, then only read. */
final class IntMap {

    static final int ABSENT = -1;

    private int[] keys;
    private int[] values;
    private int size;

    IntMap(int expected) {
        int capacity = Integer.highestOneBit(Math.max(4, expected * 2 - 1)) * 2;
        keys = new int[capacity];
        values = new int[capacity];
        Arrays.fill(keys, ABSENT);
    }

    int size() {
        return size;
    }

    int get(int key) {
        int slot = slot(key);
        return keys[slot] == key ? values[slot] : ABSENT;
    }

    void put(int key, int value) {
        if (size * 2 >= keys.length) {
            grow();
        }
        int slot = slot(key);
        if (keys[slot] != key) {
            keys[slot] = key;
            size++;
        }
        values[slot] = value;
    }

    private int slot(int key) {
        int mask = keys.length - 1;
        int slot = ((key * 0x9E3779B9) >>> 7) & mask;
        while (keys[slot] != ABSENT && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldKeys = keys;
        int[] oldValues = values;
        keys = new int[oldKeys.length * 2];
        values = new int[oldKeys.length * 2];
        Arrays.fill(keys, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != ABSENT) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
