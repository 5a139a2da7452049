// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The order "is narrower than" over numbered nodes, compiled: nodes that are narrower than each other make one class,
 * and between classes every step counts 1.
 *
 * <p>Immutable but for its memory of reaches, which are computed when they are first asked for.
 */
final class Hierarchy {

    /** Most classes, over all remembered reaches; beyond it a reach is computed for each query. */
    private static final int REMEMBERED_MAX = 500_000;

    private final IntGraph broader;
    private final IntGraph types;
    private final int[] classOf;
    private final int classes;
    private final IntGraph broaderClasses;
    private final IntGraph narrowerClasses;
    private final IntGraph instanceClasses;

    private final AtomicReferenceArray<@Nullable Reach> broaderReaches;
    private final AtomicReferenceArray<@Nullable Reach> narrowerReaches;
    private final AtomicInteger remembered = new AtomicInteger();

    /**
     * @param broader leads from a node to the broader ones, labelled with axioms
     * @param types leads from a node to what it is an instance of, labelled with axioms
     */
    Hierarchy(IntGraph broader, IntGraph types) {
        this.broader = broader;
        this.types = types;
        this.classOf = Components.of(broader);
        int highest = -1;
        for (int c : classOf) {
            highest = Math.max(highest, c);
        }
        this.classes = highest + 1;
        this.broaderClasses = betweenClasses(broader, false);
        this.narrowerClasses = betweenClasses(broader, true);
        this.instanceClasses = betweenClasses(types, true);
        this.broaderReaches = new AtomicReferenceArray<>(classes);
        this.narrowerReaches = new AtomicReferenceArray<>(classes);
    }

    int classes() {
        return classes;
    }

    int classOf(int node) {
        return classOf[node];
    }

    /** The classes above a class. */
    Reach broader(int of) {
        Reach known = broaderReaches.get(of);
        if (known != null) {
            return known;
        }
        Reach.Builder found = spread(of, broaderClasses);
        return remember(broaderReaches, of, found.withoutFirst());
    }

    /** The classes below a class, and those of its instances and theirs. */
    Reach narrower(int of) {
        Reach known = narrowerReaches.get(of);
        if (known != null) {
            return known;
        }
        Reach.Builder found = spread(of, narrowerClasses);
        int below = found.size();
        for (int i = 0; i < below; i++) {
            int c = found.classAt(i);
            int distance = found.distance(c) + 1;
            for (int edge = instanceClasses.first(c); edge < instanceClasses.first(c + 1); edge++) {
                // What is narrower than an instance is no instance for that: the way ends here.
                found.addNearest(instanceClasses.target(edge), distance);
            }
        }
        return remember(narrowerReaches, of, found.withoutFirst());
    }

    /** All nodes for which a node answers as an advertised one, itself too. */
    void forEachAbove(int node, IntConsumer action) {
        BitSet seen = new BitSet();
        Deque<Integer> pending = new ArrayDeque<>();
        seen.set(node);
        pending.add(node);
        while (!pending.isEmpty()) {
            spreadUp(pending, seen);
        }
        // Instances: what the node, or one that is equivalent, is said to be, and all above that.
        for (int same = seen.nextSetBit(0); same >= 0; same = seen.nextSetBit(same + 1)) {
            if (classOf[same] == classOf[node]) {
                for (int edge = types.first(same); edge < types.first(same + 1); edge++) {
                    pending.add(types.target(edge));
                }
            }
        }
        for (int type : pending) {
            seen.set(type);
        }
        while (!pending.isEmpty()) {
            spreadUp(pending, seen);
        }
        seen.stream().forEach(action);
    }

    private void spreadUp(Deque<Integer> pending, BitSet seen) {
        int node = pending.remove();
        for (int edge = broader.first(node); edge < broader.first(node + 1); edge++) {
            int next = broader.target(edge);
            if (!seen.get(next)) {
                seen.set(next);
                pending.add(next);
            }
        }
    }

    /**
     * The axioms on a shortest way up: fewest steps between classes, then fewest axioms.
     *
     * @return labels of the axioms in the order from {@code from} to {@code to}; empty where there is no way
     */
    List<Integer> path(int from, int to) {
        return path(from, node -> node == to, false);
    }

    /** The same, where the way may begin with what {@code from} is an instance of. */
    List<Integer> pathFromInstance(int from, int to) {
        return path(from, node -> node == to, true);
    }

    /** The same to the nearest node of a kind. */
    List<Integer> pathToNearest(int from, IntPredicate kind) {
        return path(from, kind, false);
    }

    private List<Integer> path(int from, IntPredicate isGoal, boolean mayBeInstance) {
        Map<Long, Way> ways = new HashMap<>();
        PriorityQueue<Way> frontier = new PriorityQueue<>();
        frontier.add(new Way(from, false, 0, 0, -1, null));
        while (!frontier.isEmpty()) {
            Way way = frontier.remove();
            if (ways.putIfAbsent(way.state(), way) != null) {
                continue;
            }
            if (isGoal.test(way.node)) {
                return way.axioms();
            }
            for (int edge = broader.first(way.node); edge < broader.first(way.node + 1); edge++) {
                int next = broader.target(edge);
                int step = classOf[next] == classOf[way.node] ? 0 : 1;
                frontier.add(new Way(next, way.typed, way.steps + step, way.length + 1, broader.label(edge), way));
            }
            if (mayBeInstance && !way.typed && classOf[way.node] == classOf[from]) {
                for (int edge = types.first(way.node); edge < types.first(way.node + 1); edge++) {
                    frontier.add(
                            new Way(types.target(edge), true, way.steps + 1, way.length + 1, types.label(edge), way));
                }
            }
        }
        return List.of();
    }

    private record Way(
            int node,
            boolean typed,
            int steps,
            int length,
            int axiom,
            @Nullable Way before) implements Comparable<Way> {

        long state() {
            return (long) node << 1 | (typed ? 1 : 0);
        }

        List<Integer> axioms() {
            List<Integer> reversed = new ArrayList<>();
            for (Way way = this; way.before != null; way = way.before) {
                reversed.add(way.axiom);
            }
            Collections.reverse(reversed);
            return reversed;
        }

        @Override
        public int compareTo(Way other) {
            int order = Integer.compare(steps, other.steps);
            if (order == 0) {
                order = Integer.compare(length, other.length);
            }
            return order == 0 ? Integer.compare(axiom, other.axiom) : order;
        }
    }

    private Reach.Builder spread(int start, IntGraph graph) {
        Reach.Builder found = new Reach.Builder();
        found.add(start, 0);
        for (int i = 0; i < found.size(); i++) {
            int c = found.classAt(i);
            int distance = found.distance(c) + 1;
            for (int edge = graph.first(c); edge < graph.first(c + 1); edge++) {
                found.add(graph.target(edge), distance);
            }
        }
        return found;
    }

    private Reach remember(AtomicReferenceArray<@Nullable Reach> reaches, int of, Reach reach) {
        if (remembered.get() + reach.size() <= REMEMBERED_MAX && reaches.compareAndSet(of, null, reach)) {
            remembered.addAndGet(reach.size());
        }
        return reach;
    }

    /** The edges of a graph between different classes. */
    private IntGraph betweenClasses(IntGraph graph, boolean reversed) {
        int edges = graph.first(graph.nodes());
        int[] from = new int[edges];
        int[] to = new int[edges];
        int count = 0;
        for (int node = 0; node < graph.nodes(); node++) {
            for (int edge = graph.first(node); edge < graph.first(node + 1); edge++) {
                int source = classOf[node];
                int target = classOf[graph.target(edge)];
                if (source != target) {
                    from[count] = reversed ? target : source;
                    to[count++] = reversed ? source : target;
                }
            }
        }
        return new IntGraph(classes, count, from, to, new int[edges]);
    }
}
