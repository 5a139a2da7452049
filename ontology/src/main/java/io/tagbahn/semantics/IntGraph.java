// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

/** A directed graph in compressed rows: who follows a node, and the label of each such edge. */
final class IntGraph {

    private final int[] rows;
    private final int[] targets;
    private final int[] labels;

    /** @param from the first {@code count} edges lead from {@code from[i]} to {@code to[i]} with {@code label[i]} */
    IntGraph(int nodes, int count, int[] from, int[] to, int[] label) {
        rows = new int[nodes + 1];
        targets = new int[count];
        labels = new int[count];
        for (int i = 0; i < count; i++) {
            rows[from[i] + 1]++;
        }
        for (int i = 0; i < nodes; i++) {
            rows[i + 1] += rows[i];
        }
        int[] next = rows.clone();
        for (int i = 0; i < count; i++) {
            int at = next[from[i]]++;
            targets[at] = to[i];
            labels[at] = label[i];
        }
    }

    int nodes() {
        return rows.length - 1;
    }

    /** The edges of a node are {@code first(node)} up to, and without, {@code first(node + 1)}. */
    int first(int node) {
        return rows[node];
    }

    int target(int edge) {
        return targets[edge];
    }

    int label(int edge) {
        return labels[edge];
    }
}
