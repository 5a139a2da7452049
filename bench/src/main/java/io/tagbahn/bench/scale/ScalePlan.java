// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is to be measured: one of tags, nodes and replicas is varied at a time on a cluster of the most nodes with three
 * replicas and a few instances; the number of instances on one node and on that cluster.
 *
 * @param tags of each instance, in ascending order
 * @param instances how many, in ascending order; each with {@link #TAGS_OF_MANY} tags
 * @param nodes sizes of clusters, in ascending order
 * @param replicas nodes that hold each tag
 * @param length of the load of each operation
 * @param warmUp of each cluster, for each operation
 * @param beatLength how long heartbeats are counted
 */
public record ScalePlan(
        List<Integer> tags,
        List<Integer> instances,
        List<Integer> nodes,
        List<Integer> replicas,
        Duration length,
        Duration warmUp,
        Duration beatLength) {

    public static final int TAGS_OF_MANY = 10;
    public static final int TAGS_USUAL = 100;
    public static final int TAGS_MAX = 10_000;
    public static final int INSTANCES_MAX = 100_000;
    public static final int NODES_MAX = 20;

    /** Of small clusters. */
    static final int INSTANCES_USUAL = 100;

    static final int REPLICAS_USUAL = 3;

    /** Each instance is renewed once in this time. */
    static final Duration BEAT_INTERVAL = Duration.ofSeconds(10);

    static final int BEAT_NODES = 3;

    /** Of an instance that beats by itself, and of a process that does it for many. */
    static final List<Integer> LEASES_PER_CALL = List.of(1, 100);

    public ScalePlan {
        tags = List.copyOf(tags);
        instances = List.copyOf(instances);
        nodes = List.copyOf(nodes);
        replicas = List.copyOf(replicas);
        check("tags", tags, TAGS_MAX);
        check("instances", instances, INSTANCES_MAX);
        check("nodes", nodes, NODES_MAX);
        check("replicas", replicas, NODES_MAX);
        if (length.isZero() || length.isNegative() || beatLength.isZero() || beatLength.isNegative()) {
            throw new IllegalArgumentException("duration " + length + ", of heartbeats " + beatLength);
        }
    }

    private static void check(String name, List<Integer> values, int max) {
        if (values.isEmpty() || values.stream().anyMatch(value -> value < 1 || value > max)) {
            throw new IllegalArgumentException(name + " " + values + " not within 1.." + max);
        }
        if (!values.stream().sorted().distinct().toList().equals(values)) {
            throw new IllegalArgumentException(name + " " + values + " not in ascending order");
        }
    }

    /** All of it, about half an hour on two processors. */
    public static ScalePlan full() {
        return new ScalePlan(
                List.of(1, 10, 100, 1_000),
                List.of(100, 1_000, 10_000, 100_000),
                List.of(1, 2, 3, 4, 5),
                List.of(1, 2, 3, 5),
                Duration.ofSeconds(2),
                Duration.ofSeconds(8),
                Duration.ofSeconds(60));
    }

    /** A look at the shapes, about two minutes. */
    public static ScalePlan quick() {
        return new ScalePlan(
                List.of(1, 10, 100),
                List.of(100, 1_000),
                List.of(1, 3),
                List.of(1, 3),
                Duration.ofMillis(500),
                Duration.ofMillis(700),
                Duration.ofSeconds(5));
    }

    int nodesMost() {
        return nodes.get(nodes.size() - 1);
    }

    int instancesMost() {
        return instances.get(instances.size() - 1);
    }

    /** Small clusters, each measured once however many series it is part of. */
    List<Setup> small() {
        Set<Setup> setups = new LinkedHashSet<>();
        tags.forEach(count -> setups.add(new Setup(nodesMost(), REPLICAS_USUAL, INSTANCES_USUAL, count)));
        nodes.forEach(count -> setups.add(new Setup(count, REPLICAS_USUAL, INSTANCES_USUAL, TAGS_USUAL)));
        replicas.forEach(k -> setups.add(new Setup(nodesMost(), k, INSTANCES_USUAL, TAGS_USUAL)));
        return List.copyOf(setups);
    }

    /** Clusters that are filled step by step, with what they hold at the end. */
    List<Setup> filled() {
        List<Setup> setups = new ArrayList<>();
        setups.add(new Setup(1, REPLICAS_USUAL, instancesMost(), TAGS_OF_MANY));
        if (nodesMost() > 1) {
            setups.add(new Setup(nodesMost(), REPLICAS_USUAL, instancesMost(), TAGS_OF_MANY));
        }
        return setups;
    }

    /** The cluster whose heartbeats are counted. */
    Setup beating() {
        return new Setup(BEAT_NODES, REPLICAS_USUAL, instancesMost(), TAGS_OF_MANY);
    }
}
