// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Arrays;

/** Edges on their way into an {@link IntGraph}. */
final class EdgeList {

    private final int nodes;
    private int[] from = new int[64];
    private int[] to = new int[64];
    private int[] label = new int[64];
    private int size;

    EdgeList(int nodes) {
        this.nodes = nodes;
    }

    void add(int source, int target, int axiom) {
        if (size == from.length) {
            from = Arrays.copyOf(from, size * 2);
            to = Arrays.copyOf(to, size * 2);
            label = Arrays.copyOf(label, size * 2);
        }
        from[size] = source;
        to[size] = target;
        label[size++] = axiom;
    }

    void addBoth(int one, int other, int axiom) {
        add(one, other, axiom);
        add(other, one, axiom);
    }

    IntGraph graph() {
        return new IntGraph(nodes, size, from, to, label);
    }
}
