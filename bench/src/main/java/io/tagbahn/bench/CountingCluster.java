// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.RegistryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A cluster of {@linkplain ClusteredNode nodes in processes of their own} that tell their heap and what they count. */
public final class CountingCluster implements RunningCluster {

    private static final long READY_NANOS_MAX = TimeUnit.MINUTES.toNanos(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path folder;
    private final List<JavaProcess> processes = new ArrayList<>();
    private final List<HostPort> addresses = new ArrayList<>();

    private CountingCluster(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts a cluster without data, and returns when all its nodes see each other and are ready.
     *
     * @param jvm arguments of each node's JVM
     * @param folder for the nodes' data and logs
     */
    public static CountingCluster start(int nodes, int replicas, List<String> jvm, Path folder) {
        return start(nodes, replicas, jvm, List.of(), folder);
    }

    /** @param settings of each node besides, as {@code key=value} */
    public static CountingCluster start(int nodes, int replicas, List<String> jvm, List<String> settings, Path folder) {
        CountingCluster cluster = new CountingCluster(folder);
        try {
            for (int i = 1; i <= nodes; i++) {
                cluster.start(i, replicas, jvm, settings);
            }
            for (HostPort address : cluster.addresses) {
                awaitAll(address, nodes);
            }
            return cluster;
        } catch (IOException e) {
            cluster.close();
            throw new UncheckedIOException(e.getMessage(), e);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void start(int number, int replicas, List<String> jvm, List<String> settings) throws IOException {
        Path own = Files.createDirectories(folder.resolve("node-" + number));
        List<String> arguments = new ArrayList<>(List.of(
                own.toString(), "node.id=node-" + number, "cluster.replicas=" + replicas, "cluster.handover=1ms"));
        arguments.addAll(settings);
        if (number > 1) {
            arguments.add("cluster.seeds=" + addresses.get(0));
        }
        JavaProcess process = JavaProcess.start(
                jvm,
                ClusteredNode.class,
                arguments,
                ProcessBuilder.Redirect.to(own.resolve("node.log").toFile()));
        processes.add(process);
        addresses.add(HostPort.parse(process.answer("ready")));
    }

    private static void awaitAll(HostPort address, int nodes) throws IOException {
        long endNanos = System.nanoTime() + READY_NANOS_MAX;
        try (RegistryClient client = RegistryClient.connect(address.toString())) {
            while (!isComplete(client, nodes)) {
                if (System.nanoTime() - endNanos > 0) {
                    throw new IOException("the nodes have not found each other within two minutes");
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static boolean isComplete(RegistryClient client, int nodes) {
        try {
            return client.status().ready() && client.members().size() == nodes;
        } catch (RegistryException e) {
            return false; // not ready yet
        }
    }

    @Override
    public List<RunningNode> nodes() {
        List<RunningNode> nodes = new ArrayList<>();
        for (int i = 0; i < processes.size(); i++) {
            nodes.add(new RunningNode(addresses.get(i), processes.get(i).pid(), folder.resolve("node-" + (i + 1))));
        }
        return nodes;
    }

    /** Bytes of a node's heap that are in use after a collection, which is made now. */
    public long heapBytes(int node) throws IOException {
        processes.get(node).say(ClusteredNode.HEAP);
        return Long.parseLong(processes.get(node).answer());
    }

    /** Memory of a node's process; 0 where the machine doesn't say. */
    public long residentBytes(int node) throws IOException {
        return JavaProcess.residentBytes(processes.get(node).pid()).orElse(0);
    }

    /** CPU time of each node since its start. */
    public List<Duration> cpu() {
        return processes.stream().map(process -> JavaProcess.cpu(process.pid())).toList();
    }

    /** What all nodes together have counted since their start. */
    public Map<String, Long> counted() throws IOException {
        Map<String, Long> counted = new HashMap<>();
        for (JavaProcess process : processes) {
            process.say(ClusteredNode.COUNTERS);
            for (String each : process.answer().split(" ", -1)) {
                int equals = each.lastIndexOf('=');
                counted.merge(each.substring(0, equals), Long.parseLong(each.substring(equals + 1)), Long::sum);
            }
        }
        return counted;
    }

    @Override
    public void close() {
        processes.forEach(JavaProcess::kill);
    }
}
