// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * What the scenarios of one run have in common.
 *
 * @param folder where nodes keep their data and logs
 * @param nodes of each cluster, where asked for
 * @param trials of each scenario, where asked for
 * @param quick whether a minute has to do
 * @param outageSeconds how long all nodes are gone, where asked for
 * @param progress told to people
 */
record ChaosRun(
        NodeStarter starter,
        Path folder,
        OptionalInt nodes,
        OptionalInt trials,
        boolean quick,
        long seed,
        OptionalInt outageSeconds,
        Consumer<String> progress,
        AtomicInteger clusters) {

    private static final int QUICK_NODES = 3;

    int nodesOr(int usual) {
        return nodes.orElse(quick ? QUICK_NODES : usual);
    }

    int trialsOr(int usual, int quickly) {
        return trials.orElse(quick ? quickly : usual);
    }

    SplittableRandom random() {
        return new SplittableRandom(seed);
    }

    void tell(String what) {
        progress.accept(what);
    }

    /** A folder that no cluster of this run has used. */
    Path freshFolder(String name) {
        return folder.resolve(name + "-" + clusters.incrementAndGet());
    }

    /** Starts a cluster and waits until all its nodes see each other and are ready. */
    ProcessCluster cluster(String name, int size, int replicas, String... options) {
        List<String> all = new ArrayList<>(List.of("--replicas", Integer.toString(replicas)));
        all.addAll(List.of(options));
        ProcessCluster cluster = new ProcessCluster(starter, freshFolder(name), all, Ports.free(size));
        try {
            cluster.startAll();
            cluster.awaitReady();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }
}
