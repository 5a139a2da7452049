// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.util.List;

/** What starts clusters of nodes, each in a process of its own, as people run them. */
@FunctionalInterface
public interface ClusterStarter {

    /**
     * Starts a cluster without data, and returns when all its nodes see each other and are ready.
     *
     * @param jvm further arguments of each node's JVM; {@code %FOLDER%} in them stands for the node's folder
     */
    RunningCluster start(int nodes, int replicas, List<String> jvm);
}
