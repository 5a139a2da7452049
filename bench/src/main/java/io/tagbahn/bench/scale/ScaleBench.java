// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import io.tagbahn.bench.CountingCluster;
import io.tagbahn.bench.JavaProcess;
import io.tagbahn.bench.Progress;
import io.tagbahn.rpc.RpcLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What the registry costs as it grows: in tags, instances, nodes and replicas, on clusters of its own. */
public final class ScaleBench {

    private static final List<Integer> NODES_ESTIMATED = List.of(10, 100, 1_000);

    private final ScalePlan plan;
    private final Path folder;
    private final long generation;
    private final LongSupplier ticker;
    private final Schedule schedule;
    private final List<CostRow> costs = new ArrayList<>();
    private final List<HeldRow> held = new ArrayList<>();
    private final List<BeatRow> beats = new ArrayList<>();
    private int clusters;

    private ScaleBench(ScalePlan plan, Path folder, long generation, LongSupplier ticker, Progress progress) {
        this.plan = plan;
        this.folder = folder;
        this.generation = generation;
        this.ticker = ticker;
        this.schedule = new Schedule(plan, progress);
    }

    /**
     * Measures, which takes minutes.
     *
     * @param folder for the nodes' data
     * @param generation of what is registered: milliseconds of the clock
     */
    public static ScaleResults run(
            ScalePlan plan, Path folder, long generation, LongSupplier ticker, Progress progress) {
        return new ScaleBench(plan, folder, generation, ticker, progress).run();
    }

    private ScaleResults run() {
        try (RpcLoops loops = RpcLoops.start("scale", 1, ticker)) {
            for (Setup setup : plan.small()) {
                onCluster(setup, loops, meter -> costs.addAll(meter.costs(setup)));
            }
            for (Setup setup : plan.filled()) {
                onCluster(setup, loops, meter -> {
                    for (int instances : plan.instances()) {
                        costs.addAll(meter.costs(setup.withInstances(instances)));
                    }
                    held.add(meter.held(setup));
                });
            }
            Setup beating = plan.beating();
            onCluster(beating, loops, meter -> beats.addAll(meter.beats(beating)));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        schedule.done();
        return new ScaleResults(
                costs,
                held,
                beats,
                ScaleModel.estimates(costs, NODES_ESTIMATED, plan.tags(), ScalePlan.REPLICAS_USUAL));
    }

    private interface Measuring {
        void on(ScaledCluster cluster) throws IOException, InterruptedException;
    }

    private void onCluster(Setup setup, RpcLoops loops, Measuring measuring) throws IOException, InterruptedException {
        schedule.tell("starting " + setup.nodes() + " nodes, k = " + setup.replicas());
        List<String> jvm = new ArrayList<>(JavaProcess.AS_A_NODE);
        jvm.add("-XX:MaxRAMPercentage=" + Math.max(2, 50 / setup.nodes()));
        Path own = folder.resolve("cluster-" + ++clusters);
        try (CountingCluster cluster = CountingCluster.start(setup.nodes(), setup.replicas(), jvm, own);
                ScaledCluster one = new ScaledCluster(
                        cluster, new Population(setup.tagsPerInstance(), generation), loops, plan, schedule, ticker)) {
            measuring.on(one);
        }
        schedule.passed(Schedule.START_SECONDS);
    }
}
