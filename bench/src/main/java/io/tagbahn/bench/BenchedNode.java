// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A node in a process of its own and, beside it in the same process, its {@linkplain EchoAnswers echo}; tells how much
 * memory it takes.
 */
final class BenchedNode implements AutoCloseable {

    private final JavaProcess process;
    private final InetSocketAddress node;
    private final InetSocketAddress echo;

    private BenchedNode(JavaProcess process, InetSocketAddress node, InetSocketAddress echo) {
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
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(threads), dataDirectory.toString()));
        settings.forEach((key, value) -> arguments.add(key + "=" + value));
        JavaProcess process = JavaProcess.start(jvmArguments, BenchedNode.class, arguments);
        String[] ports = process.answer("ready").split(" ", -1);
        return new BenchedNode(process, loopback(Integer.parseInt(ports[0])), loopback(Integer.parseInt(ports[1])));
    }

    InetSocketAddress node() {
        return node;
    }

    InetSocketAddress echo() {
        return echo;
    }

    /** Bytes of heap that are in use after a collection, which is made now. */
    long heapBytes() throws IOException {
        process.say("heap");
        return Long.parseLong(process.answer());
    }

    /** Processor time of the process since its start, its compiler's included; zero where the machine doesn't say. */
    Duration cpu() {
        return JavaProcess.cpu(process.pid());
    }

    /** Memory of the process; absent where the machine doesn't say. */
    OptionalLong residentBytes() throws IOException {
        return JavaProcess.residentBytes(process.pid());
    }

    @Override
    public void close() throws IOException {
        process.close();
    }

    /** The other process: answers each line with the bytes of its heap, and ends with its input. */
    public static void main(String[] args) throws IOException {
        int threads = Integer.parseInt(args[0]);
        Path data = Files.createDirectories(Path.of(args[1]));
        PrintStream out = System.out;
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        Map<String, String> settings = new HashMap<>(
                Map.of("node.listen", "127.0.0.1:0", "node.data-dir", data.toString(), "rpc.threads", args[0]));
        for (String setting : List.of(args).subList(2, args.length)) {
            int separator = setting.indexOf('=');
            settings.put(setting.substring(0, separator), setting.substring(separator + 1));
        }
        NodeConfig config = NodeConfig.parse(settings);
        try (Node node = Node.start(config);
                RpcLoops loops = RpcLoops.start("echo", threads, System::nanoTime);
                RpcServer echo = RpcServer.start(loops, loopback(0), EchoAnswers.service(), RpcLimits.defaults());
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            out.println(
                    "ready " + node.address().getPort() + " " + echo.address().getPort());
            while (input.readLine() != null) {
                System.gc();
                out.println(memory.getHeapMemoryUsage().getUsed());
            }
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
