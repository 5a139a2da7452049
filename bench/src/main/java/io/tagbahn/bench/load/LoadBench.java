// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import io.tagbahn.bench.ClusterStarter;
import io.tagbahn.bench.EchoProcess;
import io.tagbahn.bench.JavaProcess;
import io.tagbahn.bench.LoopOutcome;
import io.tagbahn.bench.RunningCluster;
import io.tagbahn.bench.RunningCluster.RunningNode;
import io.tagbahn.bench.load.GcLog.Pauses;
import io.tagbahn.bench.load.LoadRow.NodesUse;
import io.tagbahn.model.HostPort;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** Load on a cluster of its own, or on one that runs already: calls a second, latencies, and what they cost. */
public final class LoadBench implements AutoCloseable {

    /** Rates of a sweep, as shares of what a closed loop moves. */
    private static final double[] SWEEP = {0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};

    /** A rate that is kept may be missed by as much, for the calls under way at the end. */
    private static final double KEPT_SHARE = 0.98;

    private final LoadPlan plan;
    private final Consumer<String> progress;
    private final Optional<RunningCluster> own;
    private final List<HostPort> addresses;
    private final List<GcLog> gcLogs;
    private final EchoProcess echo;
    private final Catalogue catalogue;

    private LoadBench(
            LoadPlan plan, Consumer<String> progress, Optional<RunningCluster> own, EchoProcess echo, long generation) {
        this.plan = plan;
        this.progress = progress;
        this.own = own;
        this.echo = echo;
        this.addresses = own.map(cluster ->
                        cluster.nodes().stream().map(RunningNode::address).toList())
                .orElse(plan.registry());
        this.gcLogs = own.map(cluster -> cluster.nodes().stream()
                        .map(node -> new GcLog(node.folder()))
                        .toList())
                .orElse(List.of());
        this.catalogue = new Catalogue(plan.tags(), generation);
    }

    /**
     * Measures, which takes a while.
     *
     * @param generation of what is registered for it: milliseconds of the clock
     */
    public static List<LoadRow> run(LoadPlan plan, ClusterStarter starter, long generation, Consumer<String> progress) {
        try (EchoProcess echo = EchoProcess.start()) {
            Optional<RunningCluster> own = plan.registry().isEmpty()
                    ? Optional.of(starter.start(plan.nodes(), plan.replicas(), List.of(GcLog.JVM_ARGUMENT)))
                    : Optional.empty();
            try (LoadBench bench = new LoadBench(plan, progress, own, echo, generation)) {
                return bench.measure();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        own.ifPresent(RunningCluster::close);
    }

    private List<LoadRow> measure() throws IOException {
        List<LoadRow> rows = new ArrayList<>();
        try (RpcLoops loops = RpcLoops.start("load-setup", 1, System::nanoTime);
                RpcClient client = RpcClient.create(
                        loops, socket(addresses.get(0)), RpcClientConfig.defaults(), new SplittableRandom(1))) {
            progress.accept("registering " + catalogue.tags() + " tags");
            catalogue.register(client);
            for (Mix mix : plan.mixes()) {
                rows.addAll(measure(mix));
            }
            if (own.isEmpty()) {
                catalogue.deregister(client);
            }
        }
        return rows;
    }

    private List<LoadRow> measure(Mix mix) throws IOException {
        List<LoadProcess> processes = new ArrayList<>();
        try {
            for (int i = 0; i < plan.processes(); i++) {
                processes.add(LoadProcess.start(new WorkerPlan(
                        i,
                        addresses,
                        new HostPort(
                                HostPort.parse("127.0.0.1:1").host(),
                                echo.address().getPort()),
                        plan.connections() / plan.processes(),
                        mix,
                        plan.tagsPerCall(),
                        plan.zipfExponent(),
                        catalogue)));
            }
            return measure(mix, processes);
        } finally {
            for (LoadProcess process : processes) {
                process.close();
            }
        }
    }

    private List<LoadRow> measure(Mix mix, List<LoadProcess> processes) throws IOException {
        progress.accept(mix + ": warming up");
        if (!plan.warmUp().isZero()) {
            run(new Stage.InFlight(false, plan.warmUp(), plan.inFlight()), processes);
            run(new Stage.InFlight(true, plan.warmUp(), plan.inFlight()), processes);
        }
        List<LoadRow> rows = new ArrayList<>();
        if (plan.rates().isEmpty()) {
            rows.add(row(mix, processes, new Stage.InFlight(false, plan.length(), plan.inFlight())));
        }
        DoubleStream rates = plan.rates().stream().mapToDouble(Double::doubleValue);
        if (plan.sweep() && !rows.isEmpty()) {
            double capacity = rows.get(0).outcome().callsPerSecond();
            rates = DoubleStream.of(SWEEP).map(share -> share * capacity);
        }
        int open = rows.size();
        for (double rate : rates.toArray()) {
            rows.add(row(mix, processes, new Stage.AtRate(false, plan.length(), rate)));
        }
        if (plan.sweep()) {
            markKnee(rows, open);
        }
        return rows;
    }

    private void markKnee(List<LoadRow> rows, int from) {
        int knee = -1;
        for (int i = from; i < rows.size() && isKept(rows.get(i)); i++) {
            knee = i;
        }
        if (knee >= 0) {
            rows.set(knee, rows.get(knee).asKnee());
        }
    }

    private boolean isKept(LoadRow row) {
        return row.outcome().failures() == 0
                && row.outcome().callsPerSecond()
                        >= KEPT_SHARE * row.ratePerSecond().orElse(0)
                && row.micros(99) <= plan.kneeP99().toNanos() / 1e3;
    }

    private LoadRow row(Mix mix, List<LoadProcess> processes, Stage stage) throws IOException {
        progress.accept(mix + ": "
                + (LoadPlan.rate(stage).isPresent()
                        ? Math.round(LoadPlan.rate(stage).getAsDouble()) + " calls a second"
                        : plan.connections() + " x " + plan.inFlight() + " calls in flight"));
        Duration cpuBefore = cpu();
        for (GcLog log : gcLogs) {
            log.sinceLast();
        }
        LoopOutcome outcome = run(stage, processes);
        Duration spent = cpu().minus(cpuBefore);
        Optional<NodesUse> use = own.isPresent() ? Optional.of(use(spent, outcome.calls())) : Optional.empty();
        LoopOutcome ofEcho = run(onEcho(stage), processes);
        return new LoadRow(
                mix,
                plan.tagsPerCall(),
                plan.connections(),
                plan.inFlight(),
                LoadPlan.rate(stage),
                outcome,
                ofEcho,
                use,
                false);
    }

    private static Stage onEcho(Stage stage) {
        return stage instanceof Stage.AtRate open
                ? new Stage.AtRate(true, open.length(), open.perSecond())
                : new Stage.InFlight(true, stage.length(), ((Stage.InFlight) stage).perConnection());
    }

    private static LoopOutcome run(Stage stage, List<LoadProcess> processes) throws IOException {
        for (LoadProcess process : processes) {
            process.begin(stage, processes.size());
        }
        long calls = 0;
        long failures = 0;
        double perSecond = 0;
        Histogram latencyNanos = new Histogram(LoopOutcome.LATENCY_NANOS_MAX, 3);
        for (LoadProcess process : processes) {
            LoopOutcome outcome = process.end();
            calls += outcome.calls();
            failures += outcome.failures();
            perSecond += outcome.callsPerSecond();
            latencyNanos.add(outcome.latencyNanos());
        }
        return new LoopOutcome(calls, failures, perSecond, latencyNanos);
    }

    private Duration cpu() {
        return own.map(RunningCluster::nodes).orElse(List.of()).stream()
                .map(node -> JavaProcess.cpu(node.pid()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private NodesUse use(Duration cpu, long calls) throws IOException {
        Pauses pauses = Pauses.NONE;
        for (GcLog log : gcLogs) {
            pauses = pauses.plus(log.sinceLast());
        }
        long residentBytes = 0;
        for (RunningNode node : own.orElseThrow().nodes()) {
            residentBytes += JavaProcess.residentBytes(node.pid()).orElse(0);
        }
        return new NodesUse(
                calls == 0 ? 0 : cpu.toNanos() / 1e3 / calls,
                pauses.heapBytes(),
                residentBytes,
                pauses.count(),
                pauses.full(),
                pauses.totalMillis(),
                pauses.longestMillis());
    }

    private static InetSocketAddress socket(HostPort address) {
        return InetSocketAddress.createUnresolved(address.host().toString(), address.port());
    }
}
