// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import io.tagbahn.bench.CountingCluster;
import io.tagbahn.bench.JavaProcess;
import io.tagbahn.bench.RunningCluster.RunningNode;
import io.tagbahn.bench.WireCall;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A cluster that is offered up to many times what it can answer, with the contract and without it. */
public final class OverloadBench {

    private static final int IN_FLIGHT = 16;
    private static final int AT_ONCE = 16;
    private static final double AFTER = 0.5;
    /** A slot in which as many were answered counts as normal. */
    private static final double NORMAL_SHARE = 0.99;

    private final OverloadPlan plan;
    private final Path folder;
    private final long generation;
    private final Consumer<String> progress;
    private final boolean pinned;
    private final List<OverloadRow> rows = new ArrayList<>();
    private final List<double[]> costs = new ArrayList<>();
    private double sustained;
    private double answerMicros;

    private OverloadBench(OverloadPlan plan, Path folder, long generation, Consumer<String> progress) {
        this.plan = plan;
        this.folder = folder;
        this.generation = generation;
        this.progress = progress;
        this.pinned = Pinning.isPossible();
    }

    /**
     * Measures, which takes a while.
     *
     * @param folder for the nodes' data and logs
     * @param generation of what is registered for it: milliseconds of the clock
     */
    public static OverloadResults run(OverloadPlan plan, Path folder, long generation, Consumer<String> progress) {
        OverloadBench bench = new OverloadBench(plan, folder, generation, progress);
        try {
            bench.measure(false, List.of(Manners.NAIVE));
            bench.measure(true, List.of(Manners.NAIVE, Manners.OBEDIENT));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        return new OverloadResults(bench.answerMicros, bench.refusalMicros(), bench.pinned, bench.rows);
    }

    private void measure(boolean enforced, List<Manners> all) throws IOException {
        progress.accept(
                "starting " + plan.nodes() + " nodes that refuse " + (enforced ? "what is too much" : "nothing"));
        List<String> jvm = new ArrayList<>(JavaProcess.AS_A_NODE);
        if (pinned) {
            jvm.add("-XX:ActiveProcessorCount=1");
        }
        try (CountingCluster cluster = CountingCluster.start(
                        plan.nodes(),
                        plan.nodes(),
                        jvm,
                        List.of("admission.mode=" + (enforced ? "enforce" : "off")),
                        folder.resolve(enforced ? "enforce" : "off"));
                RpcLoops loops = RpcLoops.start("overload", 1, System::nanoTime)) {
            List<HostPort> addresses =
                    cluster.nodes().stream().map(RunningNode::address).toList();
            RpcClient client = RpcClient.create(
                    loops, socket(addresses.get(0)), RpcClientConfig.defaults(), new SplittableRandom(1));
            register(client);
            try (OfferingProcess offering =
                            OfferingProcess.start(addresses, OverloadPlan.CONNECTIONS, tags(), plan.deadline());
                    Leases leases = Leases.start(client, plan.leases(), OverloadPlan.LEASE, generation)) {
                warmUp(offering, enforced);
                pin(cluster, offering);
                if (!enforced) {
                    answerMicros(offering, cluster);
                }
                sustained = sustained(offering);
                progress.accept(Math.round(sustained) + " calls a second can be sustained");
                for (Manners manners : all) {
                    for (double times : plan.times()) {
                        rows.add(row(enforced, manners, times, cluster, offering, leases));
                    }
                }
            }
        }
    }

    private void pin(CountingCluster cluster, OfferingProcess offering) {
        if (pinned) {
            String others = "1-" + (Runtime.getRuntime().availableProcessors() - 1);
            cluster.nodes().forEach(node -> {
                Pinning.hold(node.pid(), "0");
                // They take half of a processor for a minute whenever the load is of another kind.
                Pinning.holdCompilers(node.pid(), others);
            });
            Pinning.hold(offering.pid(), others);
            Pinning.hold(ProcessHandle.current().pid(), others);
            // Otherwise the load would keep heartbeats from being sent, which is not the nodes' doing.
            Pinning.giveWay(offering.pid());
        }
    }

    private void warmUp(OfferingProcess offering, boolean enforced) throws IOException {
        progress.accept("warming up");
        Offered closed = offering.offer(OfferedLoad.closed(plan.warmUp(), IN_FLIGHT));
        if (enforced) {
            // What was compiled for answers alone is compiled anew once there are refusals.
            double rate = 4.0 * closed.good / (plan.warmUp().toNanos() / 1e9);
            offering.offer(OfferedLoad.open(plan.warmUp(), rate, Duration.ZERO, 1, Manners.QUIET));
        }
    }

    private void answerMicros(OfferingProcess offering, CountingCluster cluster) throws IOException {
        offering.offer(OfferedLoad.closed(plan.warmUp().dividedBy(4), IN_FLIGHT));
        Duration before = cpu(cluster);
        Offered closed = offering.offer(OfferedLoad.closed(plan.length(), IN_FLIGHT));
        answerMicros = cpu(cluster).minus(before).toNanos() / 1e3 / Math.max(1, closed.good);
    }

    private double sustained(OfferingProcess offering) throws IOException {
        Duration length = plan.length().dividedBy(4);
        return offering.offer(OfferedLoad.closed(length, IN_FLIGHT)).good / (length.toNanos() / 1e9);
    }

    private OverloadRow row(
            boolean enforced,
            Manners manners,
            double times,
            CountingCluster cluster,
            OfferingProcess offering,
            Leases leases)
            throws IOException {
        double sustainedBefore = sustained;
        double rate = times * sustainedBefore;
        progress.accept((enforced ? "enforced, " : "off, ") + manners + " callers, " + times + " times as much");
        long beats = leases.beats();
        long beatFailures = leases.failures();
        int lost = leases.lost();
        Duration before = cpu(cluster);
        Offered offered =
                offering.offer(OfferedLoad.open(plan.length(), rate, plan.after(), AFTER * sustainedBefore, manners));
        double cpuMicros = cpu(cluster).minus(before).toNanos() / 1e3;
        if (enforced) {
            // What a machine gets done changes from minute to minute. Nodes that refuse nothing don't recover to tell
            // it.
            sustained = sustained(offering);
            costs.add(new double[] {offered.good, offered.refused, cpuMicros});
        }
        double seconds = plan.length().toNanos() / 1e9;
        int slots = (int) (plan.length().toMillis() / Offered.SLOT_MILLIS);
        long good = IntStream.range(0, slots).mapToLong(offered::goodIn).sum();
        double all = seconds + plan.after().toNanos() / 1e9;
        long beaten = leases.beats() - beats;
        return new OverloadRow(
                enforced,
                manners,
                times,
                (sustainedBefore + sustained) / 2,
                rate,
                good / seconds,
                offered.refused / all,
                offered.timedOut / all,
                offered.keptBack / all,
                (double) offered.sent / Math.max(1, offered.calls - offered.keptBack),
                offered.latencyNanos.getValueAtPercentile(50) / 1e6,
                offered.latencyNanos.getValueAtPercentile(99) / 1e6,
                cpuMicros / Math.max(1, offered.good),
                beaten == 0 ? 0 : 100.0 * (leases.failures() - beatFailures) / beaten,
                leases.lost() - lost,
                back(offered, slots));
    }

    /** From the end of the load to the first slot from which on all calls were answered. */
    private static OptionalDouble back(Offered offered, int from) {
        int slot = offered.slots() - 1;
        // The last one holds what was due at the very end, and little of it.
        while (slot > from && offered.goodIn(slot - 1) >= NORMAL_SHARE * offered.dueIn(slot - 1)) {
            slot--;
        }
        return slot == offered.slots() - 1 && offered.slots() - 1 > from
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) (slot - from) * Offered.SLOT_MILLIS);
    }

    /** What a refusal costs, by least squares over all loads: what they took is so much for answers and so much for it. */
    private double refusalMicros() {
        double goodGood = 0;
        double goodRefused = 0;
        double refusedRefused = 0;
        double goodCpu = 0;
        double refusedCpu = 0;
        for (double[] cost : costs) {
            goodGood += cost[0] * cost[0];
            goodRefused += cost[0] * cost[1];
            refusedRefused += cost[1] * cost[1];
            goodCpu += cost[0] * cost[2];
            refusedCpu += cost[1] * cost[2];
        }
        double determinant = goodGood * refusedRefused - goodRefused * goodRefused;
        return determinant == 0 ? 0 : (goodGood * refusedCpu - goodRefused * goodCpu) / determinant;
    }

    private static Duration cpu(CountingCluster cluster) {
        return cluster.cpu().stream().reduce(Duration.ZERO, Duration::plus);
    }

    private static List<String> tags() {
        return IntStream.range(0, OverloadPlan.TAGS)
                .mapToObj(index -> "http://example.org/load/works#Wanted" + index)
                .toList();
    }

    private void register(RpcClient client) {
        List<Tag> tags = tags().stream().map(Tag::parse).toList();
        for (int from = 0; from < plan.peersPerTag(); from += AT_ONCE) {
            CompletableFuture.allOf(IntStream.range(from, Math.min(plan.peersPerTag(), from + AT_ONCE))
                            .mapToObj(index -> WireCall.register(
                                            new ServiceName("wanted-" + index),
                                            HostPort.parse("10.9." + index / 250 + "." + (1 + index % 250) + ":8080"),
                                            tags,
                                            RegisterMode.REPLACE,
                                            generation)
                                    .on(client))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    private static InetSocketAddress socket(HostPort address) {
        return InetSocketAddress.createUnresolved(address.host().toString(), address.port());
    }
}
