// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import io.tagbahn.server.ring.Placement;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a call needs of a cluster, by the ring: to whom messages go is placed as nodes place it, on a ring of any size. What
 * a message and a tag cost is fitted to the clusters that ran.
 */
final class ScaleModel {

    /** Owners of a record; see decision 7. */
    private static final int HOMES = 3;

    private static final int SAMPLES = 200;

    private final Placement homes;
    private final Placement owners;
    private final List<String> nodes;

    private ScaleModel(Ring ring, int replicas) {
        this.homes = new Placement(ring, Math.min(HOMES, ring.size()));
        this.owners = new Placement(ring, replicas);
        this.nodes = ring.members().stream().map(RingMember::id).toList();
    }

    static ScaleModel of(int nodes, int replicas) {
        return new ScaleModel(
                Ring.of(IntStream.rangeClosed(1, nodes)
                        .mapToObj(i -> new RingMember("node-" + i, Optional.empty(), RingMember.WEIGHT_USUAL))
                        .toList()),
                replicas);
    }

    /** Messages between nodes for a call: the mean over many instances and over the nodes that take the call. */
    double messages(ScaleOperation operation, int tagsPerInstance) {
        Population population = new Population(tagsPerInstance, 0);
        int samples = Math.max(20, SAMPLES * 10 / (10 + tagsPerInstance));
        double sum = 0;
        for (int i = 0; i < samples; i++) {
            String coordinator = nodes.get(i % nodes.size());
            sum += messages(operation, population, i, coordinator);
        }
        return sum / samples;
    }

    private int messages(ScaleOperation operation, Population population, int index, String coordinator) {
        Set<String> told = new HashSet<>();
        switch (operation) {
            case REGISTER -> {
                told.addAll(homes.owners(Population.id(index)));
                told.addAll(owners.owners(Population.service(index).value()));
                population.tags(index).forEach(tag -> told.addAll(owners.owners(tag)));
            }
            case HEARTBEAT -> told.addAll(homes.owners(Population.id(index)));
            case DISCOVER_ONE -> told.add(asked(population.tags(index).get(0), coordinator));
            case DISCOVER_ALL -> population.tags(index).forEach(tag -> told.add(asked(tag, coordinator)));
        }
        told.remove(coordinator);
        return told.size();
    }

    /** The owner that is asked first: the node itself where it is one. */
    private String asked(String tag, String coordinator) {
        List<String> all = owners.owners(tag);
        return all.contains(coordinator) ? coordinator : all.get(0);
    }

    /** What calls would cost in clusters of these sizes, by what they cost in those that ran. */
    static List<EstimateRow> estimates(List<CostRow> measured, List<Integer> nodes, List<Integer> tags, int replicas) {
        List<EstimateRow> estimates = new ArrayList<>();
        for (ScaleOperation operation : ScaleOperation.values()) {
            List<CostRow> rows = measured.stream()
                    .filter(row -> row.operation() == operation)
                    .toList();
            LinearFit cpu = fit(rows, CostRow::cpuMicros);
            LinearFit bytes = fit(rows, CostRow::messageBytes);
            for (int size : nodes) {
                ScaleModel model = of(size, replicas);
                for (int count : tags) {
                    double messages = model.messages(operation, count);
                    double[] factors = factors(operation, messages, count);
                    estimates.add(new EstimateRow(
                            size, replicas, count, operation, messages, bytes.at(factors), cpu.at(factors)));
                }
            }
        }
        return estimates;
    }

    private static LinearFit fit(List<CostRow> rows, ToDoubleFunction<CostRow> cost) {
        List<CostRow> with =
                rows.stream().filter(row -> cost.applyAsDouble(row) > 0).toList();
        return LinearFit.of(
                with.stream()
                        .map(row -> factors(
                                row.operation(), row.messages(), row.setup().tagsPerInstance()))
                        .toList(),
                with.stream().mapToDouble(cost).toArray());
    }

    /** A call, its messages and, where they are sent, its tags. */
    private static double[] factors(ScaleOperation operation, double messages, int tags) {
        boolean sent = operation == ScaleOperation.REGISTER || operation == ScaleOperation.DISCOVER_ALL;
        return sent ? new double[] {1, messages, tags} : new double[] {1, messages};
    }
}
