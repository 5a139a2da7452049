// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Sets of entries as sorted lists: union, difference. */
final class EntrySets {

    private EntrySets() {}

    /** The entries in the order of {@link Utf8#ORDER}, each once. */
    static List<String> sorted(Collection<String> entries) {
        List<String> sorted = new ArrayList<>(entries);
        sorted.sort(Utf8.ORDER);
        List<String> distinct = new ArrayList<>(sorted.size());
        for (String entry : sorted) {
            if (distinct.isEmpty() || !distinct.get(distinct.size() - 1).equals(entry)) {
                distinct.add(entry);
            }
        }
        return distinct;
    }

    /** Entries of {@code left} or {@code right}; of two equal texts the left one. The same list where the other is empty. */
    static List<String> union(List<String> left, List<String> right) {
        if (left.isEmpty() || right.isEmpty()) {
            return left.isEmpty() ? right : left;
        }
        List<String> out = new ArrayList<>(left.size() + right.size());
        int l = 0;
        int r = 0;
        while (l < left.size() || r < right.size()) {
            int order = l == left.size() ? 1 : r == right.size() ? -1 : Utf8.compare(left.get(l), right.get(r));
            if (order <= 0) {
                out.add(left.get(l++));
                if (order == 0) {
                    r++;
                }
            } else {
                out.add(right.get(r++));
            }
        }
        return out;
    }

    /** Entries of {@code left} that are not in {@code right}; {@code left} itself where there is nothing to take out. */
    static List<String> minus(List<String> left, List<String> right) {
        if (right.isEmpty()) {
            return left;
        }
        List<String> out = new ArrayList<>();
        int r = 0;
        for (String entry : left) {
            int order = 1;
            while (r < right.size() && (order = Utf8.compare(right.get(r), entry)) < 0) {
                r++;
            }
            if (r == right.size() || order != 0) {
                out.add(entry);
            } else {
                r++;
            }
        }
        return out;
    }
}
