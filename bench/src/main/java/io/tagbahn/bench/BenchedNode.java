// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import io.tagbahn.thrift.Discovery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A node in a process of its own and, beside it in the same process, its echo: a server of the same code that answers
 * the same calls with the same bytes and does nothing.
 *
 * <p>The echo is told what to answer by {@code prime}, with the answer that the node gave.
 */
final class BenchedNode implements AutoCloseable {

    private static final int STOP_SECONDS_MAX = 20;

    private final Process process;
    private final InetSocketAddress node;
    private final InetSocketAddress echo;

    private BenchedNode(Process process, InetSocketAddress node, InetSocketAddress echo) {
        this.process = process;
        this.node = node;
        this.echo = echo;
    }

    /** Starts the process with the class path of this one. */
    static BenchedNode start(List<String> jvmArguments, int threads, Path dataDirectory) throws IOException {
        return start(jvmArguments, threads, dataDirectory, Map.of());
    }

    /** Starts the process; the node has these settings besides. */
    static BenchedNode start(List<String> jvmArguments, int threads, Path dataDirectory, Map<String, String> settings)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                BenchedNode.class.getName(),
                Integer.toString(threads),
                dataDirectory.toString()));
        settings.forEach((key, value) -> command.add(key + "=" + value));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (line == null || !line.startsWith("ready ")) {
            process.destroyForcibly();
            throw new IOException("the node did not start: " + line);
        }
        String[] ports = line.split(" ", -1);
        return new BenchedNode(process, loopback(Integer.parseInt(ports[1])), loopback(Integer.parseInt(ports[2])));
    }

    InetSocketAddress node() {
        return node;
    }

    InetSocketAddress echo() {
        return echo;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The other process: ends when its input does. */
    public static void main(String[] args) throws IOException {
        int threads = Integer.parseInt(args[0]);
        Path data = Files.createDirectories(Path.of(args[1]));
        Map<String, String> settings = new HashMap<>(
                Map.of("node.listen", "127.0.0.1:0", "node.data-dir", data.toString(), "rpc.threads", args[0]));
        for (String setting : List.of(args).subList(2, args.length)) {
            int separator = setting.indexOf('=');
            settings.put(setting.substring(0, separator), setting.substring(separator + 1));
        }
        NodeConfig config = NodeConfig.parse(settings);
        try (Node node = Node.start(config);
                RpcLoops loops = RpcLoops.start("echo", threads, System::nanoTime);
                RpcServer echo = RpcServer.start(loops, loopback(0), echoService(), RpcLimits.defaults());
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(
                    "ready " + node.address().getPort() + " " + echo.address().getPort());
            while (input.readLine() != null) {
                // nothing is said but the end
            }
        }
    }

    private static RpcService echoService() {
        Discovery.advertise_result[] grant = {new Discovery.advertise_result()};
        Discovery.tagDiscover_result[] found = {new Discovery.tagDiscover_result()};
        Discovery.serviceNames_result[] names = {new Discovery.serviceNames_result()};
        return RpcService.builder()
                .method("primeGrant", Discovery.advertise_result::new, (answer, call) -> {
                    grant[0] = answer;
                    return CompletableFuture.completedFuture(new Discovery.deregister_result());
                })
                .method("primeFound", Discovery.tagDiscover_result::new, (answer, call) -> {
                    found[0] = answer;
                    return CompletableFuture.completedFuture(new Discovery.deregister_result());
                })
                .method("primeNames", Discovery.serviceNames_result::new, (answer, call) -> {
                    names[0] = answer;
                    return CompletableFuture.completedFuture(new Discovery.deregister_result());
                })
                .method(
                        "serviceNames",
                        Discovery.serviceNames_args::new,
                        (arguments, call) -> CompletableFuture.completedFuture(names[0]))
                .method(
                        "advertise",
                        Discovery.advertise_args::new,
                        (arguments, call) -> CompletableFuture.completedFuture(grant[0]))
                .method(
                        "tagDiscover",
                        Discovery.tagDiscover_args::new,
                        (arguments, call) -> CompletableFuture.completedFuture(found[0]))
                .build();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
