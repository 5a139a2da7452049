// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import io.tagbahn.bench.CountingCluster;
import io.tagbahn.bench.Insistence;
import io.tagbahn.bench.LoopOutcome;
import io.tagbahn.bench.OpenLoop;
import io.tagbahn.bench.RunningCluster.RunningNode;
import io.tagbahn.bench.WireCall;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.ServiceNamesResult;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A cluster that is filled and measured. */
final class ScaledCluster implements AutoCloseable {

    private static final int CALLS_PENDING_MAX = 8_192;
    private static final int FILL_IN_FLIGHT = 16;
    private static final int PAGE_ENTRIES = 100_000;
    private static final int TOLD_EVERY = 10_000;

    private final CountingCluster cluster;
    private final List<RpcClient> clients = new ArrayList<>();
    private final Population population;
    private final CostMeter meter;
    private final ScalePlan plan;
    private final Schedule schedule;
    private final LongSupplier ticker;
    private final Set<ScaleOperation> warm = new HashSet<>();
    private int registered;
    private double fillSeconds;

    ScaledCluster(
            CountingCluster cluster,
            Population population,
            RpcLoops loops,
            ScalePlan plan,
            Schedule schedule,
            LongSupplier ticker) {
        this.plan = plan;
        this.schedule = schedule;
        this.ticker = ticker;
        this.cluster = cluster;
        this.population = population;
        for (RunningNode node : cluster.nodes()) {
            clients.add(RpcClient.create(
                    loops,
                    InetSocketAddress.createUnresolved(
                            node.address().host().toString(), node.address().port()),
                    RpcClientConfig.defaults().withCallsPendingMax(CALLS_PENDING_MAX),
                    new SplittableRandom(clients.size())));
        }
        this.meter = new CostMeter(cluster, clients, population, ticker);
    }

    List<CostRow> costs(Setup setup) throws IOException, InterruptedException {
        fill(setup);
        List<CostRow> rows = new ArrayList<>();
        for (ScaleOperation operation : ScaleOperation.values()) {
            schedule.tell(setup.nodes() + " nodes, k = " + setup.replicas() + ", " + setup.instances() + " x "
                    + setup.tagsPerInstance() + " tags: " + operation.label());
            Duration warmUp =
                    warm.add(operation) ? plan.warmUp() : plan.warmUp().dividedBy(3);
            rows.add(meter.measure(setup, operation, warmUp, plan.length()));
            schedule.passed(schedule.costSeconds());
        }
        return rows;
    }

    private void fill(Setup setup) throws IOException, InterruptedException {
        long startNanos = ticker.getAsLong();
        Semaphore inFlight = new Semaphore(FILL_IN_FLIGHT);
        LongAdder failures = new LongAdder();
        int from = registered;
        for (; registered < setup.instances(); registered++) {
            if (registered % TOLD_EVERY == 0) {
                schedule.tell(setup.nodes() + " nodes, registering " + setup.instances() + " instances");
            }
            inFlight.acquire();
            int index = registered;
            RpcClient client = clients.get(index % clients.size());
            Supplier<CompletableFuture<Object>> call =
                    () -> population.register(index).on(client).thenApply(answer -> answer);
            CompletionStage<Object> done = Insistence.on(call, call);
            done.whenComplete((answer, failure) -> {
                inFlight.release();
                if (failure != null) {
                    failures.increment();
                }
            });
            schedule.passed(schedule.fillSeconds(setup.tagsPerInstance()));
        }
        inFlight.acquire(FILL_IN_FLIGHT);
        fillSeconds += (ticker.getAsLong() - startNanos) / 1e9;
        if (failures.sum() > 0) {
            throw new IOException(failures.sum() + " of " + (registered - from) + " registrations failed");
        }
    }

    HeldRow held(Setup setup) throws IOException {
        schedule.tell(setup.nodes() + " nodes: listing all");
        long residentBytes = 0;
        for (int node = 0; node < setup.nodes(); node++) {
            residentBytes = Math.max(residentBytes, cluster.residentBytes(node));
        }
        long startNanos = ticker.getAsLong();
        int listed = listed();
        double listSeconds = (ticker.getAsLong() - startNanos) / 1e9;
        long heapBytes = 0;
        for (int node = 0; node < setup.nodes(); node++) {
            residentBytes = Math.max(residentBytes, cluster.residentBytes(node));
            heapBytes = Math.max(heapBytes, cluster.heapBytes(node));
        }
        return new HeldRow(
                setup,
                fillSeconds,
                residentBytes,
                heapBytes,
                listSeconds,
                listed,
                Population.entries(setup.instances(), setup.tagsPerInstance()));
    }

    /** How many entries the pages of a list have, each counted once. */
    private int listed() {
        Set<String> entries = new HashSet<>();
        ServiceNamesQuery query = new ServiceNamesQuery().setLimit(PAGE_ENTRIES);
        Optional<String> cursor;
        do {
            ServiceNamesResult page =
                    WireCall.serviceNames(query).on(clients.get(0)).join().getSuccess();
            entries.addAll(page.getServiceNames());
            cursor = Optional.ofNullable(page.getNextCursor());
            query = new ServiceNamesQuery().setLimit(PAGE_ENTRIES).setCursor(page.getNextCursor());
        } while (cursor.isPresent());
        return entries.size();
    }

    List<BeatRow> beats(Setup setup) throws IOException, InterruptedException {
        fill(setup);
        List<BeatRow> rows = new ArrayList<>();
        rows.add(idle(setup));
        for (int leases : ScalePlan.LEASES_PER_CALL) {
            schedule.tell(
                    setup.nodes() + " nodes: heartbeats of " + setup.instances() + " instances, " + leases + " a call");
            double perSecond = (double) setup.instances() / leases / ScalePlan.BEAT_INTERVAL.toMillis() * 1_000;
            AtomicInteger next = new AtomicInteger();
            OpenLoop loop = new OpenLoop(perSecond, ticker, () -> {
                int number = next.getAndIncrement();
                int first = (int) ((long) number * leases % setup.instances());
                return population.heartbeat(first, leases, setup.instances()).on(clients.get(number % clients.size()));
            });
            if (!plan.warmUp().isZero()) {
                loop.run(plan.warmUp());
            }
            List<Duration> before = cluster.cpu();
            long startNanos = ticker.getAsLong();
            LoopOutcome outcome = loop.run(plan.beatLength());
            rows.add(row(setup, leases, before, ticker.getAsLong() - startNanos, Optional.of(outcome)));
            schedule.passed(schedule.beatSeconds());
        }
        return rows;
    }

    private BeatRow idle(Setup setup) throws InterruptedException {
        schedule.tell(setup.nodes() + " nodes: no heartbeats");
        List<Duration> before = cluster.cpu();
        long startNanos = ticker.getAsLong();
        Thread.sleep(plan.beatLength().toMillis());
        schedule.passed(schedule.beatSeconds());
        return row(setup, 0, before, ticker.getAsLong() - startNanos, Optional.empty());
    }

    private BeatRow row(
            Setup setup, int leases, List<Duration> before, long elapsedNanos, Optional<LoopOutcome> outcome) {
        List<Duration> after = cluster.cpu();
        double sum = 0;
        double most = 0;
        for (int node = 0; node < after.size(); node++) {
            double percent = 100.0 * after.get(node).minus(before.get(node)).toNanos() / elapsedNanos;
            sum += percent;
            most = Math.max(most, percent);
        }
        return new BeatRow(
                setup,
                leases,
                outcome.map(LoopOutcome::callsPerSecond).orElse(0.0),
                sum,
                most,
                outcome.map(each -> each.latencyNanos().getValueAtPercentile(99) / 1e3)
                        .orElse(0.0),
                outcome.map(LoopOutcome::failures).orElse(0L));
    }

    @Override
    public void close() {
        clients.forEach(RpcClient::close);
    }
}
