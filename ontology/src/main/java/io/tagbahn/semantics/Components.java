// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Arrays;

/**
 * The strongly connected components of a graph (R. Tarjan, 1972), without recursion: a chain may be as long as memory
 * allows.
 */
final class Components {

    private final IntGraph graph;
    private final int[] componentOf;
    private final int[] order;
    private final int[] low;
    private final int[] nextEdge;
    private final int[] path;
    private final int[] open;
    private int pathSize;
    private int openSize;
    private int visited;
    private int count;

    private Components(IntGraph graph) {
        this.graph = graph;
        int nodes = graph.nodes();
        componentOf = new int[nodes];
        order = new int[nodes];
        low = new int[nodes];
        nextEdge = new int[nodes];
        path = new int[nodes];
        open = new int[nodes];
        Arrays.fill(componentOf, -1);
        Arrays.fill(order, -1);
    }

    /** The component of each node; components are numbered 0 and up without gaps. */
    static int[] of(IntGraph graph) {
        Components components = new Components(graph);
        for (int node = 0; node < graph.nodes(); node++) {
            if (components.order[node] < 0) {
                components.visit(node);
            }
        }
        return components.componentOf;
    }

    private void visit(int root) {
        enter(root);
        while (pathSize > 0) {
            int node = path[pathSize - 1];
            if (nextEdge[node] == graph.first(node + 1)) {
                leave(node);
                continue;
            }
            int target = graph.target(nextEdge[node]++);
            if (order[target] < 0) {
                enter(target);
            } else if (componentOf[target] < 0) {
                low[node] = Math.min(low[node], order[target]);
            }
        }
    }

    private void enter(int node) {
        order[node] = visited;
        low[node] = visited++;
        nextEdge[node] = graph.first(node);
        path[pathSize++] = node;
        open[openSize++] = node;
    }

    private void leave(int node) {
        pathSize--;
        if (pathSize > 0) {
            int parent = path[pathSize - 1];
            low[parent] = Math.min(low[parent], low[node]);
        }
        if (low[node] == order[node]) {
            int member;
            do {
                member = open[--openSize];
                componentOf[member] = count;
            } while (member != node);
            count++;
        }
    }
}
