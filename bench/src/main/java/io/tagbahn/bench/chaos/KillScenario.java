// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** A node is killed: how long until no other node holds it to be a member. */
final class KillScenario implements Scenario {

    private static final List<Integer> SIZES = List.of(5, 20);
    private static final int TRIALS = 30;
    private static final int QUICK_TRIALS = 2;
    private static final Duration AIM = Duration.ofSeconds(3);
    /** Twenty processes that have just started keep two processors busy for a while. */
    private static final Duration CALM = Duration.ofSeconds(10);

    private static final Duration QUICK_CALM = Duration.ofSeconds(1);
    private static final Duration NOTICE_MAX = Duration.ofMinutes(3);
    private static final Duration BACK_MAX = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        List<Finding> findings = new ArrayList<>();
        boolean oneSize = run.quick() || run.nodes().isPresent();
        for (int size : oneSize ? List.of(run.nodesOr(SIZES.get(0))) : SIZES) {
            findings.add(run(run, size));
        }
        return findings;
    }

    private Finding run(ChaosRun run, int size) {
        int trials = run.trialsOr(TRIALS, QUICK_TRIALS);
        SplittableRandom random = run.random();
        Histogram noticed = new Histogram(3);
        Histogram each = new Histogram(3);
        long wrong = 0;
        try (ProcessCluster cluster = run.cluster(name() + size, size, 3);
                MemberViews views = cluster.watch()) {
            views.awaitAgreement(BACK_MAX);
            Waiting.pause(run.quick() ? QUICK_CALM : CALM);
            for (int trial = 0; trial < trials; trial++) {
                // So that the death falls anywhere between two probes.
                Waiting.pause(Duration.ofMillis(200 + random.nextInt(800)));
                ProcessNode victim = cluster.node(trial % size);
                List<ProcessNode> others =
                        cluster.nodes().stream().filter(node -> node != victim).toList();
                long killedNanos = System.nanoTime();
                victim.kill();
                Waiting.orFail(
                        "the death of " + victim.id() + " in all eyes",
                        () -> others.stream().noneMatch(other -> views.isMember(other, victim.id())),
                        NOTICE_MAX);
                noticed.recordValue(System.nanoTime() - killedNanos);
                for (ProcessNode other : others) {
                    each.recordValue(views.seen(other, victim.id())
                            .map(seen -> Math.max(0, seen.sinceNanos() - killedNanos))
                            .orElse(0L));
                }
                wrong += Removals.of(others, views.changesSince(killedNanos), others);
                victim.start();
                victim.awaitReady();
                views.awaitAgreement(BACK_MAX);
            }
        }
        return Finding.of(
                name(),
                new Figures()
                        .with("nodes", size)
                        .with("trials", trials)
                        .withTimes("seenByAll", noticed)
                        .withTimes("seenByOne", each)
                        .with("healthyRemoved", wrong),
                "seen by all: p99 ≤ " + AIM.toMillis() + " ms; no healthy node removed",
                noticed.getValueAtPercentile(99) <= AIM.toNanos() && wrong == 0);
    }
}
