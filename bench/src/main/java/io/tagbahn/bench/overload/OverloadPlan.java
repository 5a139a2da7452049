// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import java.time.Duration;
import java.util.List;

/**
 * What is measured.
 *
 * @param nodes of the cluster
 * @param times of what can be sustained that are offered
 * @param peersPerTag live instances under each tag that is asked for: what an answer weighs
 * @param leases that are renewed throughout
 * @param deadline of each call
 * @param length of each load
 * @param after how long half of what can be sustained is offered after each
 */
public record OverloadPlan(
        int nodes,
        List<Double> times,
        int peersPerTag,
        int leases,
        Duration deadline,
        Duration warmUp,
        Duration length,
        Duration after) {

    static final int TAGS = 20;
    static final int CONNECTIONS = 16;
    static final Duration LEASE = Duration.ofSeconds(6);

    public OverloadPlan {
        times = List.copyOf(times);
        within("nodes", nodes, 1, 16);
        within("peers-per-tag", peersPerTag, 1, 1_000);
        within("leases", leases, 1, 100_000);
        if (times.isEmpty() || times.stream().anyMatch(each -> !(each > 0 && each <= 100))) {
            throw new IllegalArgumentException("times " + times + " are not all above 0 and at most 100");
        }
        if (deadline.compareTo(Duration.ofMillis(10)) < 0 || deadline.compareTo(Duration.ofSeconds(10)) > 0) {
            throw new IllegalArgumentException("deadline " + deadline.toMillis() + " ms is not within 10..10000 ms");
        }
    }

    /** As much as the figures of the documentation rest on. */
    public static OverloadPlan full() {
        return new OverloadPlan(
                1,
                List.of(0.5, 1.0, 2.0, 5.0, 10.0),
                50,
                1_000,
                Duration.ofMillis(500),
                Duration.ofSeconds(12),
                Duration.ofSeconds(8),
                Duration.ofSeconds(4));
    }

    /** Enough to see the shapes. */
    public static OverloadPlan quick() {
        return new OverloadPlan(
                1,
                List.of(0.5, 2.0, 10.0),
                50,
                300,
                Duration.ofMillis(500),
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                Duration.ofSeconds(1));
    }

    private static void within(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not within " + min + ".." + max);
        }
    }
}
