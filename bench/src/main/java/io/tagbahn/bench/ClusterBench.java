// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireLease;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.thrift.TBase;

/**
 * Measures a cluster of processes against the echo of one of them, one call at a time through each node in turn:
 * registering the 1,000 triples, asking for 100 of them, listing all names.
 *
 * <p>Arguments, all optional and in this order: nodes (5), calls that are counted (20), calls before that (300), then
 * numbers of replicas (1 5 10).
 */
public final class ClusterBench {

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int TAGS_PER_CALL = 100;
    private static final int READY_SECONDS_MAX = 60;

    private final PrintStream out;
    private final List<Tag> triples;
    private final List<BenchedNode> processes;
    private final List<RpcClient> nodes;
    private final RpcClient echo;
    private final int warmUp;
    private final int counted;
    private long generation = System.currentTimeMillis() - Duration.ofHours(1).toMillis();

    private ClusterBench(
            PrintStream out,
            List<Tag> triples,
            List<BenchedNode> processes,
            List<RpcClient> nodes,
            RpcClient echo,
            int warmUp,
            int counted) {
        this.out = out;
        this.triples = triples;
        this.processes = processes;
        this.nodes = nodes;
        this.echo = echo;
        this.warmUp = warmUp;
        this.counted = counted;
    }

    public static void main(String[] args) throws Exception {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int counted = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        int warmUp = args.length > 2 ? Integer.parseInt(args[2]) : 300;
        List<String> replicas = args.length > 3 ? List.of(args).subList(3, args.length) : List.of("1", "5", "10");
        for (String k : replicas) {
            run(System.out, nodes, k, warmUp, counted);
        }
    }

    private static void run(PrintStream out, int count, String replicas, int warmUp, int counted) throws Exception {
        List<AutoCloseable> opened = new ArrayList<>();
        try {
            List<BenchedNode> benched = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Map<String, String> settings = i == 0
                        ? Map.of("cluster.replicas", replicas)
                        : Map.of(
                                "cluster.replicas",
                                replicas,
                                "cluster.seeds",
                                "127.0.0.1:" + benched.get(0).node().getPort());
                Path data = Files.createTempDirectory("tagbahn-bench");
                benched.add(opened(opened, BenchedNode.start(List.of(), 1, data, settings)));
            }
            RpcLoops loops = opened(opened, RpcLoops.start("bench", 1, System::nanoTime));
            List<RpcClient> nodes = new ArrayList<>();
            for (BenchedNode node : benched) {
                nodes.add(opened(
                        opened,
                        RpcClient.create(loops, node.node(), RpcClientConfig.defaults(), new SplittableRandom(1))));
            }
            RpcClient echo = opened(
                    opened,
                    RpcClient.create(
                            loops, benched.get(0).echo(), RpcClientConfig.defaults(), new SplittableRandom(2)));
            out.printf("%d nodes, k = %s%n", count, replicas);
            ClusterBench bench = new ClusterBench(out, NodeBench.triples(), benched, nodes, echo, warmUp, counted);
            bench.awaitReady();
            bench.measure();
        } finally {
            Collections.reverse(opened);
            for (AutoCloseable part : opened) {
                part.close();
            }
        }
    }

    private static <T extends AutoCloseable> T opened(List<AutoCloseable> opened, T part) {
        opened.add(part);
        return part;
    }

    private void awaitReady() throws Exception {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS_MAX);
        for (RpcClient node : nodes) {
            while (!isReady(node)) {
                if (System.nanoTime() - endNanos > 0) {
                    throw new IOException("the nodes did not become ready");
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private boolean isReady(RpcClient node) throws Exception {
        Discovery.members_result members =
                call(node, "members", new Discovery.members_args(), Discovery.members_result::new);
        Discovery.status_result status =
                call(node, "status", new Discovery.status_args(), Discovery.status_result::new);
        return status.getSuccess().isReady()
                && members.getSuccess() != null
                && members.getSuccess().size() == nodes.size();
    }

    private void measure() throws Exception {
        prime(
                EchoAnswers.PRIME + "advertise",
                call(nodes.get(0), "advertise", advertise(), Discovery.advertise_result::new));
        compare("register " + triples.size() + " tags", "advertise", this::advertise, Discovery.advertise_result::new);

        Discovery.tagDiscover_args hundred = new Discovery.tagDiscover_args(new TagDiscoveryQuery(
                triples.subList(0, TAGS_PER_CALL).stream().map(Tag::spelling).toList()));
        Discovery.tagDiscover_result found =
                call(nodes.get(0), "tagDiscover", hundred, Discovery.tagDiscover_result::new);
        if (found.getSuccess() == null || found.getSuccess().getPeersSize() != TAGS_PER_CALL) {
            throw new IllegalStateException("found " + found);
        }
        prime(EchoAnswers.PRIME + "tagDiscover", found);
        compare("tagDiscover of " + TAGS_PER_CALL, "tagDiscover", () -> hundred, Discovery.tagDiscover_result::new);

        Discovery.serviceNames_args all = new Discovery.serviceNames_args(new ServiceNamesQuery());
        Discovery.serviceNames_result names =
                call(nodes.get(0), "serviceNames", all, Discovery.serviceNames_result::new);
        prime(EchoAnswers.PRIME + "serviceNames", names);
        compare(
                "serviceNames, " + names.getSuccess().getServiceNamesSize() + " of them",
                "serviceNames",
                () -> all,
                Discovery.serviceNames_result::new);
    }

    private <R extends TBase<?, ?>> void compare(
            String what, String method, Supplier<TBase<?, ?>> arguments, Supplier<R> newResult) throws Exception {
        long[] ofNodes = new long[counted];
        long[] ofEcho = new long[counted];
        for (int i = -warmUp; i < counted; i++) {
            TBase<?, ?> asked = arguments.get();
            RpcClient node = nodes.get(Math.floorMod(i, nodes.size()));
            long nodeNanos = timed(node, method, asked, newResult);
            long echoNanos = timed(echo, method, asked, newResult);
            if (i >= 0) {
                ofNodes[i] = nodeNanos;
                ofEcho[i] = echoNanos;
            }
        }
        Duration cpu = cpu();
        for (int i = 0; i < counted; i++) {
            call(nodes.get(i % nodes.size()), method, arguments.get(), newResult);
        }
        cpu = cpu().minus(cpu);
        Arrays.sort(ofNodes);
        Arrays.sort(ofEcho);
        out.printf(
                "  %s: median of %d %.2f ms, worst %.2f ms; echo %.2f ms, worst %.2f ms; CPU of all nodes a call %.1f ms%n",
                what,
                counted,
                ofNodes[counted / 2] / 1e6,
                ofNodes[counted - 1] / 1e6,
                ofEcho[counted / 2] / 1e6,
                ofEcho[counted - 1] / 1e6,
                cpu.toNanos() / 1e6 / counted);
    }

    /** Processor time that all nodes have had. */
    private Duration cpu() {
        return processes.stream().map(BenchedNode::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    private static <R extends TBase<?, ?>> long timed(
            RpcClient client, String method, TBase<?, ?> arguments, Supplier<R> newResult) throws Exception {
        long startNanos = System.nanoTime();
        call(client, method, arguments, newResult);
        return System.nanoTime() - startNanos;
    }

    /** The same tags for another instance each time, which the cluster does not know yet. */
    private Discovery.advertise_args advertise() {
        Instance instance = Instance.of(new ServiceName("bench"), HostPort.parse("10.0.0.1:8080"));
        RegisterRequest request = new RegisterRequest(
                instance,
                triples,
                Optional.of(Duration.ofHours(1)),
                RegisterMode.REPLACE,
                OptionalLong.of(generation++));
        return new Discovery.advertise_args(WireLease.toWire(request, CallContext.NONE));
    }

    private void prime(String method, TBase<?, ?> answer) throws Exception {
        call(echo, method, answer, Discovery.deregister_result::new);
    }

    private static <R extends TBase<?, ?>> R call(
            RpcClient client, String method, TBase<?, ?> arguments, Supplier<R> newResult)
            throws InterruptedException, ExecutionException, TimeoutException {
        return client.call(method, arguments, newResult, DEADLINE)
                .toCompletableFuture()
                .get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
