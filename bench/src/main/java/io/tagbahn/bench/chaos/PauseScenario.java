// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** A node sleeps for five seconds and wakes: nobody may bury a healthy one for it, it least of all. */
final class PauseScenario implements Scenario {

    private static final int NODES = 5;
    private static final int TRIALS = 30;
    private static final int CLUSTERS = 3;
    private static final Duration SLEEP = Duration.ofSeconds(5);

    /** Longer than anybody may be under suspicion before its end is believed in. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(6);

    private static final Duration QUICK_AFTERWARDS = Duration.ofSeconds(3);
    private static final Duration BACK_MAX = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "pause";
    }

    /** What the clusters, which run at the same time, have seen together. */
    private static final class Seen {
        private final AtomicLong trials = new AtomicLong();
        private final AtomicLong removed = new AtomicLong();
        private final AtomicLong suspected = new AtomicLong();
        private final AtomicLong sleeperRemoved = new AtomicLong();
        private final Histogram back = new SynchronizedHistogram(3);
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        int size = run.nodesOr(NODES);
        int trials = run.trialsOr(TRIALS, 1);
        int clusters = Math.min(CLUSTERS, trials);
        Seen seen = new Seen();
        try (Lanes lanes = new Lanes("chaos-pause", clusters)) {
            for (int lane = 0; lane < clusters; lane++) {
                int share = (trials + clusters - 1 - lane) / clusters;
                lanes.begin(() -> run(run, size, share, seen));
            }
            lanes.await();
        }
        return List.of(Finding.of(
                name(),
                new Figures()
                        .with("nodes", size)
                        .with("clustersAtOnce", clusters)
                        .with("trials", seen.trials.get())
                        .withMillis("sleepMillis", SLEEP.toNanos())
                        .with("healthyRemoved", seen.removed.get())
                        .with("healthySuspected", seen.suspected.get())
                        .with("sleeperRemoved", seen.sleeperRemoved.get())
                        .withTimes("sleeperBack", seen.back),
                "no healthy node removed by anyone",
                seen.removed.get() == 0));
    }

    private void run(ChaosRun run, int size, int trials, Seen seen) {
        Duration afterwards = run.quick() ? QUICK_AFTERWARDS : AFTERWARDS;
        try (ProcessCluster cluster = run.cluster(name(), size, 3);
                MemberViews views = cluster.watch()) {
            views.awaitAgreement(BACK_MAX);
            for (int trial = 0; trial < trials; trial++) {
                ProcessNode sleeper = cluster.node(trial % size);
                List<ProcessNode> healthy =
                        cluster.nodes().stream().filter(node -> node != sleeper).toList();
                long begunNanos = System.nanoTime();
                sleeper.freeze();
                Waiting.pause(SLEEP);
                long wokenNanos = System.nanoTime();
                sleeper.thaw();
                Waiting.pause(afterwards);
                List<MemberViews.Change> changes = views.changesSince(begunNanos);
                Waiting.orFail("the return of the sleeper", () -> views.agree(cluster.nodes(), wokenNanos), BACK_MAX);
                seen.back.recordValue(Math.max(0, views.lastChangeNanos() - wokenNanos));
                sleeper.trust();
                seen.trials.incrementAndGet();
                seen.removed.addAndGet(Removals.of(cluster.nodes(), changes, healthy));
                seen.suspected.addAndGet(Removals.suspicions(cluster.nodes(), changes, healthy));
                seen.sleeperRemoved.addAndGet(Removals.of(healthy, changes, List.of(sleeper)) > 0 ? 1 : 0);
            }
        }
    }
}
