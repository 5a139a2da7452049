// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.CallConfig;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A cluster of nodes in processes of their own on this machine; the first node is the seed of all others. */
final class ProcessCluster implements AutoCloseable {

    /** Many nodes share two cores: small heaps, and compiled code that is cheap to make. */
    private static final List<String> JVM =
            List.of("-Xmx96m", "-Xms16m", "-XX:-UseG1GC", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Duration AGREEMENT_MAX = Duration.ofMinutes(3);

    private final NodeStarter starter;
    private final Path folder;
    private final List<String> options;
    private final List<ProcessNode> nodes = new ArrayList<>();

    /**
     * @param options of every node
     * @param ports of the loopback, one for each node
     */
    ProcessCluster(NodeStarter starter, Path folder, List<String> options, List<Integer> ports) {
        this.starter = starter;
        this.folder = folder;
        this.options = List.copyOf(options);
        ports.forEach(port -> add(HostPort.parse("127.0.0.1:" + port), List.of()));
    }

    /** Adds a node, which is not started by this. */
    ProcessNode add(HostPort address, List<String> within) {
        String id = "node-" + (nodes.size() + 1);
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--listen", address.toString()));
        if (!nodes.isEmpty()) {
            all.addAll(List.of("--seed", nodes.get(0).address().toString()));
        }
        ProcessNode node = new ProcessNode(starter, address, new NodeOrder(id, folder.resolve(id), within, JVM, all));
        nodes.add(node);
        return node;
    }

    /** Adds a node at a free port of this machine, which is not started by this. */
    ProcessNode addLocal(List<String> within) {
        return add(HostPort.parse("127.0.0.1:" + Ports.free(1).get(0)), within);
    }

    void startAll() {
        nodes.forEach(ProcessNode::start);
    }

    void awaitReady() {
        nodes.forEach(ProcessNode::awaitReady);
        try (MemberViews views = watch()) {
            views.awaitAgreement(AGREEMENT_MAX);
        }
    }

    List<ProcessNode> nodes() {
        return List.copyOf(nodes);
    }

    ProcessNode node(int index) {
        return nodes.get(index);
    }

    int size() {
        return nodes.size();
    }

    Path folder() {
        return folder;
    }

    /** Begins to watch who is a member in whose eyes. */
    MemberViews watch() {
        return new MemberViews(nodes());
    }

    /** A client of all nodes, as a service has it. */
    RegistryClient client() {
        return RegistryClient.connect(config());
    }

    RegistryClientConfig config() {
        RegistryClientConfig config = RegistryClientConfig.defaults()
                .withRegistries(nodes.stream().map(ProcessNode::address).toList());
        // What is measured is what the registry answers, not what its clients remember.
        return config.withCall(CallConfig.defaults())
                .withNodes(config.nodes().withoutFollowing())
                .withKept(config.kept().none());
    }

    /** Removes what a node that doesn't run would remember. */
    void forget(ProcessNode node) {
        Path data = node.order().folder();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder())
                    .filter(each -> !each.equals(data) && !each.toString().endsWith(".log"))
                    .toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        nodes.forEach(ProcessNode::abandon);
        Waiting.until(() -> nodes.stream().noneMatch(ProcessNode::isRunning), Duration.ofSeconds(10));
    }
}
