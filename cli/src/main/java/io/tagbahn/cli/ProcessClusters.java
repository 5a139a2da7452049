// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.bench.ClusterStarter;
import io.tagbahn.bench.RunningCluster;
import io.tagbahn.bench.chaos.NodeOrder;
import io.tagbahn.model.NotReady;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Clusters of {@code tagbahn serve} processes at free ports, each with folders of its own, for measurements. */
final class ProcessClusters implements ClusterStarter {

    private static final Duration READY_MAX = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final String FOLDER = "%FOLDER%";

    private final Path folder;
    private final Environment environment;
    private int started;

    /** @param folder for the clusters' data and logs */
    ProcessClusters(Path folder, Environment environment) {
        this.folder = folder;
        this.environment = environment;
    }

    @Override
    public RunningCluster start(int count, int replicas, List<String> jvm) {
        Path own = folder.resolve("cluster-" + ++started);
        Started cluster = new Started();
        try {
            for (int i = 1; i <= count; i++) {
                String id = "node-" + i;
                List<String> options =
                        new ArrayList<>(List.of("--listen", "127.0.0.1:0", "--replicas", Integer.toString(replicas)));
                if (i > 1) {
                    options.addAll(List.of("--seed", cluster.node(0).address().toString()));
                }
                cluster.add(NodeProcess.start(
                        new NodeOrder(id, own.resolve(id), List.of(), jvm(jvm, own.resolve(id), count), options),
                        environment));
                if (i == 1) {
                    await(cluster, cluster.node(0)::isReady);
                }
            }
            await(cluster, cluster::isReady);
            for (RunningCluster.RunningNode node : cluster.nodes()) {
                await(cluster, () -> ClusterCommand.seesAll(node.address(), count));
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static List<String> jvm(List<String> asked, Path folder, int count) {
        List<String> arguments = new ArrayList<>(List.of("-XX:MaxRAMPercentage=" + Math.max(2, 50 / count)));
        asked.forEach(each -> arguments.add(each.replace(FOLDER, folder.toString())));
        return arguments;
    }

    private void await(Started cluster, BooleanSupplier condition) {
        long endNanos = environment.nanos().getAsLong() + READY_MAX.toNanos();
        while (!condition.getAsBoolean()) {
            cluster.checkAlive();
            if (environment.nanos().getAsLong() - endNanos > 0) {
                throw new NotReady("the nodes have not found each other within " + READY_MAX, Optional.empty());
            }
            if (environment.stop().await(POLL)) {
                throw new NotReady("stopped while the nodes were starting", Optional.empty());
            }
        }
    }

    /** Nodes of this distribution. */
    private static final class Started implements RunningCluster {

        private final List<NodeProcess> processes = new ArrayList<>();

        void add(NodeProcess process) {
            processes.add(process);
        }

        NodeProcess node(int index) {
            return processes.get(index);
        }

        boolean isReady() {
            return processes.stream().allMatch(NodeProcess::isReady);
        }

        void checkAlive() {
            for (NodeProcess process : processes) {
                if (!process.isAlive()) {
                    throw new NotReady(process.end(), Optional.empty());
                }
            }
        }

        @Override
        public List<RunningNode> nodes() {
            return processes.stream()
                    .map(process -> new RunningNode(process.address(), process.pid(), process.folder()))
                    .toList();
        }

        @Override
        public void close() {
            processes.forEach(NodeProcess::kill);
        }
    }
}
