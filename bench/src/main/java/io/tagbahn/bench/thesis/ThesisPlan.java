// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param nodes sizes of clusters
 * @param replicas nodes that hold each entry
 * @param runs with each pair of them; each on a cluster of its own
 * @param samplesPerRun times that each run takes of every experiment, after its warm-up
 * @param warmUp how long each cluster is used before it is measured: a JVM compiles what it runs often
 * @param tags that are registered; their first hundred are looked up
 */
public record ThesisPlan(
        List<Integer> nodes, List<Integer> replicas, int runs, int samplesPerRun, Duration warmUp, List<Tag> tags) {

    public static final int NODES_MAX = 20;
    public static final int RUNS_MAX = 1_000;

    /** Registrations of single names in flight at once; nodes read no more from one connection. */
    public static final int TAGS_MAX = 1_000;

    public ThesisPlan {
        nodes = List.copyOf(nodes);
        replicas = List.copyOf(replicas);
        tags = List.copyOf(tags);
        if (nodes.isEmpty() || nodes.stream().anyMatch(count -> count < 1 || count > NODES_MAX)) {
            throw new IllegalArgumentException("nodes " + nodes);
        }
        if (replicas.isEmpty() || replicas.stream().anyMatch(count -> count < 1)) {
            throw new IllegalArgumentException("replicas " + replicas);
        }
        if (runs < 1 || runs > RUNS_MAX || samplesPerRun < 1) {
            throw new IllegalArgumentException("runs " + runs + ", samples " + samplesPerRun);
        }
        if (tags.isEmpty() || tags.size() > TAGS_MAX) {
            throw new IllegalArgumentException(tags.size() + " tags");
        }
    }

    int clusters() {
        return nodes.size() * replicas.size() * runs;
    }
}
