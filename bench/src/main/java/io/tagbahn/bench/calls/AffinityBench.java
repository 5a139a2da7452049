// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.bench.ClusterStarter;
import io.tagbahn.bench.JavaProcess;
import io.tagbahn.bench.Progress;
import io.tagbahn.bench.RunningCluster;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.calls.Idempotency;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A pipeline of five stages in two zones, whose requests come in the first one, on one route after another. */
public final class AffinityBench {

    static final String FIRST_ZONE = "zone-a";
    private static final String SECOND_ZONE = "zone-b";

    /** How much longer the small instance works on a request, and one at a time. */
    static final int SMALL_TIMES = 5;

    private static final int THREADS = 256;
    private static final double WARM_UP_PER_SECOND = 40;
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xmx128m", "-XX:TieredStopAtLevel=1");

    private final AffinityPlan plan;
    private final Progress progress;
    private int done;

    private AffinityBench(AffinityPlan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    public static List<AffinityRow> run(AffinityPlan plan, ClusterStarter clusters, Progress progress) {
        progress.at(0, "starting the registry and the zones");
        AffinityBench bench = new AffinityBench(plan, progress);
        try (RunningCluster cluster = clusters.start(1, 1, List.of())) {
            HostPort registry = cluster.nodes().get(0).address();
            try (JavaProcess first = bench.zone(registry, FIRST_ZONE);
                    JavaProcess second = bench.zone(registry, SECOND_ZONE)) {
                first.answer("ready");
                second.answer("ready");
                return bench.measure(registry);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private JavaProcess zone(HostPort registry, String name) throws IOException {
        return JavaProcess.start(
                JVM,
                PipelineZone.class,
                List.of(
                        registry.toString(),
                        name,
                        Long.toString(plan.work().toMillis()),
                        Long.toString(plan.delay().toMillis()),
                        Long.toString(plan.timeout().toMillis())));
    }

    private List<AffinityRow> measure(HostPort registry) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "requests");
            thread.setDaemon(true);
            return thread;
        });
        List<AffinityRow> rows = new ArrayList<>();
        try (RegistryClient client = RegistryClient.connect(registry.toString());
                PipelineZone entry = new PipelineZone(FIRST_ZONE, plan.work(), plan.delay(), client)) {
            entry.follow(plan.timeout(), 1, 1);
            Patience.await("the stages", () -> entry.knowsAll(2));
            for (Route route : Route.values()) {
                load(entry, threads, route, PipelineZone.USUAL, WARM_UP_PER_SECOND, Duration.ofSeconds(2));
            }
            for (double rate : plan.ratesPerSecond()) {
                for (Route route : List.of(Route.RANDOM, Route.NEAR)) {
                    rows.add(row(entry, threads, route, PipelineZone.USUAL, rate));
                }
            }
            for (Route route : List.of(Route.RANDOM, Route.NEAR, Route.NEAREST)) {
                rows.add(row(entry, threads, route, PipelineZone.OVERLOAD, plan.overloadPerSecond()));
            }
            progress.at(1, "done");
            return rows;
        } finally {
            threads.shutdownNow();
        }
    }

    private AffinityRow row(PipelineZone entry, ExecutorService threads, Route route, String situation, double rate)
            throws InterruptedException {
        int all = plan.ratesPerSecond().size() * 2 + Route.values().length;
        progress.at((double) done++ / all, situation + " load, route " + route);
        return new AffinityRow(route, situation, rate, load(entry, threads, route, situation, rate, plan.duration()));
    }

    private CallLoad.Outcome load(
            PipelineZone entry, ExecutorService threads, Route route, String situation, double rate, Duration duration)
            throws InterruptedException {
        String path = "/" + route.name() + "/" + situation + "/1";
        return CallLoad.offer(rate, duration, () -> request(entry, threads, route, path));
    }

    private CompletionStage<String> request(PipelineZone entry, ExecutorService threads, Route route, String path) {
        return CompletableFuture.supplyAsync(
                () -> entry.caller(route, 0).call(Idempotency.IDEMPOTENT, host -> entry.ask(host, path)), threads);
    }
}
