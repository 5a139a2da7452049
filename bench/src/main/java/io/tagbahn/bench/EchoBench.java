// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Measures the floor: calls a second of a method that does nothing, and of bytes without a protocol.
 *
 * <p>Arguments, all optional and in this order: connections (16), calls in flight on each (64), event-loop threads (1,
 * shared by client and server), seconds for each run (5), runs (3).
 */
public final class EchoBench {

    private static final String TEXT = "16 bytes of text";
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private EchoBench() {}

    public static void main(String[] args) throws InterruptedException {
        int connections = argument(args, 0, 16);
        int inFlight = argument(args, 1, 64);
        int threads = argument(args, 2, 1);
        Duration duration = Duration.ofSeconds(argument(args, 3, 5));
        int runs = argument(args, 4, 3);
        PrintStream out = System.out;
        out.printf("%d connections x %d in flight, %d event loops%n", connections, inFlight, threads);
        for (int i = 0; i < runs; i++) {
            RawEcho.Outcome raw = RawEcho.run(threads, connections, inFlight, TEXT.length(), duration);
            out.printf(
                    "raw echo        %,.0f messages/s, %.2f µs of CPU each%n",
                    raw.messagesPerSecond(), raw.cpuMicrosPerMessage());
        }
        for (boolean compact : new boolean[] {false, true}) {
            RpcClientConfig config = RpcClientConfig.defaults().withCompact(compact);
            for (int i = 0; i < runs; i++) {
                thrift(out, config, threads, connections, inFlight, duration);
            }
        }
    }

    private static int argument(String[] args, int index, int otherwise) {
        return args.length > index ? Integer.parseInt(args[index]) : otherwise;
    }

    private static void thrift(
            PrintStream out, RpcClientConfig config, int threads, int connections, int inFlight, Duration duration)
            throws InterruptedException {
        try (RpcLoops loops = RpcLoops.start("echo", threads, System::nanoTime);
                RpcServer server = RpcServer.start(
                        loops,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        EchoService.service(),
                        RpcLimits.defaults())) {
            List<RpcClient> clients = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                clients.add(RpcClient.create(loops, server.address(), config, new SplittableRandom(i)));
            }
            try {
                ClosedLoop load = new ClosedLoop(
                        connections,
                        inFlight,
                        System::nanoTime,
                        connection -> () -> EchoService.call(clients.get(connection), TEXT, DEADLINE));
                long cpuNanos = ThreadCpu.nanos("echo");
                LoopOutcome outcome = load.run(duration);
                cpuNanos = ThreadCpu.nanos("echo") - cpuNanos;
                out.printf(
                        "thrift %-8s %s, %.2f µs of CPU each%n",
                        config.compact() ? "compact" : "binary", outcome.summary(), cpuNanos / 1e3 / outcome.calls());
            } finally {
                clients.forEach(RpcClient::close);
            }
        }
    }
}
