// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import io.tagbahn.bench.ClusterStarter;
import io.tagbahn.bench.EchoProcess;
import io.tagbahn.bench.Progress;
import io.tagbahn.bench.RunningCluster;
import io.tagbahn.bench.thesis.ThesisRun.Sample;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The experiments of the thesis's chapter 7: registering 1,000 tags one by one, in batches and at once, looking up 100
 * names one by one and at once, and listing all, on clusters of several sizes.
 */
public final class ThesisBench {

    private static final String TRIPLES = "/io/tagbahn/bench/dbpedia-1000.nt";
    private static final int CALLS_PENDING_MAX = 4_096;

    /** Of the time that a cluster takes, what has passed when it has started, and when it is warm. */
    private static final double STARTED_PART = 0.25;

    private static final double WARM_PART = 0.7;

    private final ThesisPlan plan;
    private final ClusterStarter starter;
    private final LongSupplier ticker;
    private final Progress progress;
    private final Map<Setup, Map<Experiment, Times>> times = new LinkedHashMap<>();
    private int clustersDone;
    private String now = "";

    private record Setup(int nodes, int replicas) {}

    private record Times(List<Sample> cold, List<Sample> warm) {}

    private ThesisBench(ThesisPlan plan, ClusterStarter starter, LongSupplier ticker, Progress progress) {
        this.plan = plan;
        this.starter = starter;
        this.ticker = ticker;
        this.progress = progress;
    }

    /** Measures, which takes minutes. */
    public static List<ThesisRow> run(ThesisPlan plan, ClusterStarter starter, LongSupplier ticker, Progress progress) {
        return new ThesisBench(plan, starter, ticker, progress).run();
    }

    /** The 1,000 triples of DBpedia that the measurements register. */
    public static List<Tag> triples() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ThesisBench.class.getResourceAsStream(TRIPLES)), StandardCharsets.UTF_8))) {
            return lines.lines().map(Tag::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<ThesisRow> run() {
        try (EchoProcess echo = EchoProcess.start();
                RpcLoops loops = RpcLoops.start("bench", 1, ticker)) {
            // The machine may be busier at one time than at another: every setup has its runs all along.
            for (int run = 1; run <= plan.runs(); run++) {
                for (int nodes : plan.nodes()) {
                    for (int replicas : plan.replicas()) {
                        now = "run " + run + " of " + plan.runs() + ": " + nodes + " nodes, k = " + replicas;
                        tell(0);
                        run(new Setup(nodes, replicas), loops, echo);
                        clustersDone++;
                    }
                }
            }
            progress.at(1, "done");
        } catch (IOException e) {
            throw new UncheckedIOException("the echo could not be started: " + e.getMessage(), e);
        }
        return rows();
    }

    /** @param part of the present cluster that is done */
    private void tell(double part) {
        progress.at((clustersDone + part) / plan.clusters(), now);
    }

    private void run(Setup setup, RpcLoops loops, EchoProcess echoProcess) {
        Map<Experiment, Times> bySetup = times.computeIfAbsent(setup, key -> new EnumMap<>(Experiment.class));
        RpcClientConfig config = RpcClientConfig.defaults().withCallsPendingMax(CALLS_PENDING_MAX);
        try (RunningCluster cluster = starter.start(setup.nodes(), setup.replicas(), List.of());
                RpcClient node = RpcClient.create(
                        loops, socket(cluster.nodes().get(0).address()), config, new SplittableRandom(1));
                RpcClient echo = RpcClient.create(loops, echoProcess.address(), config, new SplittableRandom(2))) {
            ThesisRun run = new ThesisRun(plan.tags(), node, echo, ticker);
            tell(STARTED_PART);
            long startNanos = ticker.getAsLong();
            long warmNanos = startNanos + plan.warmUp().toNanos();
            run.round()
                    .forEach((experiment, sample) ->
                            of(bySetup, experiment).cold().add(sample));
            while (ticker.getAsLong() - warmNanos < 0) {
                run.round();
                double share = (double) (ticker.getAsLong() - startNanos)
                        / plan.warmUp().toNanos();
                tell(STARTED_PART + Math.min(1, share) * (WARM_PART - STARTED_PART));
            }
            for (int i = 0; i < plan.samplesPerRun(); i++) {
                tell(WARM_PART + (double) i / plan.samplesPerRun() * (1 - WARM_PART));
                run.round()
                        .forEach((experiment, sample) ->
                                of(bySetup, experiment).warm().add(sample));
            }
        }
    }

    private static Times of(Map<Experiment, Times> bySetup, Experiment experiment) {
        return bySetup.computeIfAbsent(experiment, key -> new Times(new ArrayList<>(), new ArrayList<>()));
    }

    private static InetSocketAddress socket(HostPort address) {
        return InetSocketAddress.createUnresolved(address.host().toString(), address.port());
    }

    private List<ThesisRow> rows() {
        List<ThesisRow> rows = new ArrayList<>();
        for (Experiment experiment : Experiment.values()) {
            times.forEach((setup, byExperiment) -> {
                Times measured = of(byExperiment, experiment);
                rows.add(new ThesisRow(
                        experiment,
                        setup.nodes(),
                        setup.replicas(),
                        plan.runs(),
                        summary(measured.warm(), Sample::nanos),
                        summary(measured.warm(), Sample::floorNanos).medianMillis(),
                        measured.warm().stream().mapToInt(Sample::repeated).sum(),
                        summary(measured.cold(), Sample::nanos).medianMillis()));
            });
        }
        return rows;
    }

    private static Summary summary(List<Sample> samples, ToLongFunction<Sample> part) {
        return Summary.ofNanos(samples.stream().mapToLong(part).toArray());
    }
}
