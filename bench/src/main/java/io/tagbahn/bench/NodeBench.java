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
import io.tagbahn.thrift.DeregisterQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireLease;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Measures one node in a process of its own against its echo, in one run: registering the 1,000 triples in one call,
 * asking for 100 tags in one call, and lookups of one tag under load.
 *
 * <p>Arguments, all optional and in this order: connections (16), calls in flight on each (64), event-loop threads of
 * each side (1), seconds for each run under load (5).
 */
public final class NodeBench {

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int WARM_UP_CALLS = 500;
    private static final int COUNTED_CALLS = 10;
    private static final int TAGS_PER_CALL = 100;
    private static final int LOAD_ROUNDS = 3;

    private final PrintStream out;
    private final List<Tag> triples;
    private final RpcClient node;
    private final RpcClient echo;
    private long generation = 1;

    private NodeBench(PrintStream out, List<Tag> triples, RpcClient node, RpcClient echo) {
        this.out = out;
        this.triples = triples;
        this.node = node;
        this.echo = echo;
    }

    public static void main(String[] args) throws Exception {
        int connections = argument(args, 0, 16);
        int inFlight = argument(args, 1, 64);
        int threads = argument(args, 2, 1);
        Duration duration = Duration.ofSeconds(argument(args, 3, 5));
        Path data = Files.createTempDirectory("tagbahn-bench");
        try (BenchedNode benched = BenchedNode.start(List.of(), threads, data);
                RpcLoops loops = RpcLoops.start("bench", threads, System::nanoTime);
                RpcClient node = client(loops, benched.node(), 1);
                RpcClient echo = client(loops, benched.echo(), 2)) {
            NodeBench bench = new NodeBench(System.out, triples(), node, echo);
            bench.single();
            bench.load(loops, benched, connections, inFlight, duration);
            RawEcho.Outcome raw = RawEcho.run(2 * threads, connections, inFlight, bench.answerBytes(), duration);
            System.out.printf(
                    "raw Netty echo of %d bytes: %,.0f messages/s%n", bench.answerBytes(), raw.messagesPerSecond());
        }
    }

    private static int argument(String[] args, int index, int otherwise) {
        return args.length > index ? Integer.parseInt(args[index]) : otherwise;
    }

    private static RpcClient client(RpcLoops loops, InetSocketAddress address, int seed) {
        return RpcClient.create(loops, address, RpcClientConfig.defaults(), new SplittableRandom(seed));
    }

    static List<Tag> triples() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(NodeBench.class.getResourceAsStream("dbpedia-1000.nt")),
                StandardCharsets.UTF_8))) {
            return lines.lines().map(Tag::parse).toList();
        }
    }

    /** One call at a time: the median of ten, node and echo in turn. */
    private void single() throws Exception {
        Discovery.advertise_args first = advertise();
        prime(EchoAnswers.PRIME + "advertise", call(node, "advertise", first, Discovery.advertise_result::new));
        Discovery.advertise_args[] next = {first};
        compare(
                "register " + triples.size() + " tags",
                () -> {
                    deregister();
                    next[0] = advertise();
                },
                () -> call(node, "advertise", next[0], Discovery.advertise_result::new),
                () -> call(echo, "advertise", next[0], Discovery.advertise_result::new));
        call(node, "advertise", advertise(), Discovery.advertise_result::new);

        Discovery.tagDiscover_args hundred = tagDiscover(triples.subList(0, TAGS_PER_CALL));
        Discovery.tagDiscover_result found = call(node, "tagDiscover", hundred, Discovery.tagDiscover_result::new);
        if (found.getSuccess().getPeersSize() != TAGS_PER_CALL) {
            throw new IllegalStateException("found " + found);
        }
        prime(EchoAnswers.PRIME + "tagDiscover", found);
        compare(
                "tagDiscover of " + TAGS_PER_CALL + " tags",
                () -> {},
                () -> call(node, "tagDiscover", hundred, Discovery.tagDiscover_result::new),
                () -> call(echo, "tagDiscover", hundred, Discovery.tagDiscover_result::new));
    }

    private interface Call {
        Object make() throws Exception;
    }

    private interface Preparation {
        void prepare() throws Exception;
    }

    private void compare(String what, Preparation untimed, Call onNode, Call onEcho) throws Exception {
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            untimed.prepare();
            onNode.make();
            onEcho.make();
        }
        long[] nodeNanos = new long[COUNTED_CALLS];
        long[] echoNanos = new long[COUNTED_CALLS];
        for (int i = 0; i < COUNTED_CALLS; i++) {
            untimed.prepare();
            nodeNanos[i] = timed(onNode);
            echoNanos[i] = timed(onEcho);
        }
        double nodeMillis = medianMillis(nodeNanos);
        double echoMillis = medianMillis(echoNanos);
        out.printf(
                "%s: median of %d %.3f ms, echo %.3f ms, ratio %.2f%n",
                what, COUNTED_CALLS, nodeMillis, echoMillis, nodeMillis / echoMillis);
    }

    private static long timed(Call call) throws Exception {
        long start = System.nanoTime();
        call.make();
        return System.nanoTime() - start;
    }

    private static double medianMillis(long[] nanos) {
        Arrays.sort(nanos);
        return (nanos[(nanos.length - 1) / 2] + nanos[nanos.length / 2]) / 2e6;
    }

    /** Lookups of one tag each, over many connections with many calls in flight; node and echo in turn. */
    private void load(RpcLoops loops, BenchedNode benched, int connections, int inFlight, Duration duration)
            throws Exception {
        prime(
                EchoAnswers.PRIME + "tagDiscover",
                call(node, "tagDiscover", tagDiscover(triples.subList(0, 1)), Discovery.tagDiscover_result::new));
        double[] ratios = new double[LOAD_ROUNDS];
        for (int round = 0; round < LOAD_ROUNDS; round++) {
            LoopOutcome ofNode = load(loops, benched.node(), connections, inFlight, duration);
            LoopOutcome ofEcho = load(loops, benched.echo(), connections, inFlight, duration);
            ratios[round] = ofNode.callsPerSecond() / ofEcho.callsPerSecond();
            out.printf("tagDiscover of one tag, %d x %d: %s%n", connections, inFlight, ofNode.summary());
            out.printf("its echo,               %d x %d: %s%n", connections, inFlight, ofEcho.summary());
        }
        Arrays.sort(ratios);
        out.printf("share of the echo: median %.0f %%%n", 100 * ratios[LOAD_ROUNDS / 2]);
    }

    private LoopOutcome load(
            RpcLoops loops, InetSocketAddress address, int connections, int inFlight, Duration duration)
            throws InterruptedException {
        List<RpcClient> clients = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            clients.add(client(loops, address, i));
        }
        try {
            return new ClosedLoop(connections, inFlight, System::nanoTime, connection -> lookups(clients, connection))
                    .run(duration);
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    private Supplier<CompletionStage<?>> lookups(List<RpcClient> clients, int connection) {
        int[] next = {connection};
        return () -> {
            next[0] = (next[0] + 1) % triples.size();
            return clients.get(connection)
                    .call(
                            "tagDiscover",
                            tagDiscover(triples.subList(next[0], next[0] + 1)),
                            Discovery.tagDiscover_result::new,
                            DEADLINE);
        };
    }

    /** About the bytes of the answer to a lookup, for the echo without a protocol. */
    private int answerBytes() {
        return 200 + triples.get(0).spelling().length();
    }

    /** A registration that the node does not know yet. */
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

    private void deregister() throws Exception {
        LeaseRef present = new LeaseRef("bench/10.0.0.1:8080", 0);
        call(
                node,
                "deregister",
                new Discovery.deregister_args(new DeregisterQuery(present)),
                Discovery.deregister_result::new);
    }

    private static Discovery.tagDiscover_args tagDiscover(List<Tag> tags) {
        return new Discovery.tagDiscover_args(
                new TagDiscoveryQuery(tags.stream().map(Tag::spelling).toList()));
    }

    private void prime(String method, org.apache.thrift.TBase<?, ?> answer) throws Exception {
        call(echo, method, answer, Discovery.deregister_result::new);
    }

    private static <R extends org.apache.thrift.TBase<?, ?>> R call(
            RpcClient client, String method, org.apache.thrift.TBase<?, ?> arguments, Supplier<R> newResult)
            throws InterruptedException, ExecutionException, TimeoutException {
        return client.call(method, arguments, newResult, DEADLINE)
                .toCompletableFuture()
                .get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
