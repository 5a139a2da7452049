// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import io.tagbahn.bench.ClosedLoop;
import io.tagbahn.bench.CountingCluster;
import io.tagbahn.bench.LoopOutcome;
import io.tagbahn.rpc.RpcClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * The taking of what calls cost on a cluster: first one at a time, for how long they take; then many at a time, for what
 * they take of the nodes, since clocks of CPU time are too coarse for single calls.
 */
final class CostMeter {

    private static final int IN_FLIGHT = 16;
    private static final int ONE_AT_A_TIME_MAX = 500;

    private final CountingCluster cluster;
    private final List<RpcClient> clients;
    private final Population population;
    private final LongSupplier ticker;
    private final AtomicInteger next = new AtomicInteger();

    /** @param clients one of each node */
    CostMeter(CountingCluster cluster, List<RpcClient> clients, Population population, LongSupplier ticker) {
        this.cluster = cluster;
        this.clients = clients;
        this.population = population;
        this.ticker = ticker;
    }

    /** What an operation costs; the instances of the setup are registered. */
    CostRow measure(Setup setup, ScaleOperation operation, Duration warmUp, Duration length)
            throws IOException, InterruptedException {
        if (!warmUp.isZero()) {
            load(setup, operation, warmUp);
        }
        Histogram alone = oneAtATime(setup, operation, length);
        Map<String, Long> countedBefore = cluster.counted();
        Duration cpuBefore = cpu();
        LoopOutcome outcome = load(setup, operation, length);
        Duration spent = cpu().minus(cpuBefore);
        Map<String, Long> counted = cluster.counted();
        // Those that the end of the time found under way cost as well, and are not among the calls.
        double calls = outcome.calls() + outcome.failures() + (double) inFlight() / 2;
        return new CostRow(
                setup,
                operation,
                alone.getValueAtPercentile(50) / 1e3,
                alone.getValueAtPercentile(99) / 1e3,
                spent.toNanos() / 1e3 / calls,
                grown("peer.calls", countedBefore, counted) / calls,
                ScaleModel.of(setup.nodes(), setup.replicas()).messages(operation, setup.tagsPerInstance()),
                grown("peer.bytes-in", countedBefore, counted) / calls,
                outcome.failures());
    }

    private static long grown(String counter, Map<String, Long> before, Map<String, Long> after) {
        return after.getOrDefault(counter, 0L) - before.getOrDefault(counter, 0L);
    }

    private Duration cpu() {
        return cluster.cpu().stream().reduce(Duration.ZERO, Duration::plus);
    }

    private Histogram oneAtATime(Setup setup, ScaleOperation operation, Duration length) {
        Histogram nanos = new Histogram(LoopOutcome.LATENCY_NANOS_MAX, 3);
        long endNanos = ticker.getAsLong() + length.toNanos();
        int calls = 0;
        do {
            Supplier<CompletionStage<?>> call = call(setup, operation, clients.get(calls % clients.size()));
            long startNanos = ticker.getAsLong();
            // One that fails has taken its time as well; the load counts failures.
            call.get()
                    .toCompletableFuture()
                    .handle((answer, failure) -> failure)
                    .join();
            nanos.recordValue(Math.min(ticker.getAsLong() - startNanos, LoopOutcome.LATENCY_NANOS_MAX));
            calls++;
        } while (calls < ONE_AT_A_TIME_MAX && ticker.getAsLong() - endNanos < 0);
        return nanos;
    }

    private LoopOutcome load(Setup setup, ScaleOperation operation, Duration length) throws InterruptedException {
        return new ClosedLoop(
                        clients.size(),
                        inFlight() / clients.size(),
                        ticker,
                        connection -> call(setup, operation, clients.get(connection)))
                .run(length);
    }

    private int inFlight() {
        return Math.max(1, IN_FLIGHT / clients.size()) * clients.size();
    }

    private Supplier<CompletionStage<?>> call(Setup setup, ScaleOperation operation, RpcClient client) {
        return () -> population
                .call(operation, next.getAndIncrement() % setup.instances())
                .on(client);
    }
}
