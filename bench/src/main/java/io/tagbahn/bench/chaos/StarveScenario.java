// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A node gets hardly any processor time: nobody may bury a healthy one for it, and no key moves between those. */
final class StarveScenario implements Scenario {

    private static final int NODES = 5;
    private static final int KEYS = 60;
    private static final Duration LENGTH = Duration.ofMinutes(3);
    private static final Duration QUICK_LENGTH = Duration.ofSeconds(8);
    private static final Duration HOGGED = Duration.ofMinutes(1);
    private static final Duration FROZEN = Duration.ofMillis(1_500);
    private static final Duration AFTERWARDS = Duration.ofSeconds(6);
    private static final Duration BACK_MAX = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "starve";
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        List<Finding> findings = new ArrayList<>();
        int size = run.nodesOr(NODES);
        try (ProcessCluster cluster = run.cluster(name(), size, 3)) {
            ProcessNode starved = cluster.node(cluster.size() - 1);
            findings.add(measure(cluster, starved, "frozen for 1.5 s again and again", () -> bursts(run, starved)));
        }
        if (!run.quick()) {
            findings.add(hogged(run, size));
        }
        return findings;
    }

    private static void bursts(ChaosRun run, ProcessNode starved) {
        SplittableRandom random = run.random();
        Duration length = run.quick() ? QUICK_LENGTH : LENGTH;
        long endNanos = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            starved.freeze();
            Waiting.pause(FROZEN);
            starved.thaw();
            Waiting.pause(Duration.ofMillis(300 + random.nextInt(1_200)));
        }
    }

    /** The node runs at the lowest priority, beside processes that take all there is. */
    private Finding hogged(ChaosRun run, int size) {
        try (ProcessCluster cluster = new ProcessCluster(
                run.starter(), run.freshFolder(name()), List.of("--replicas", "3"), Ports.free(size - 1))) {
            ProcessNode starved = cluster.addLocal(List.of("nice", "-n", "19"));
            cluster.startAll();
            cluster.awaitReady();
            return measure(cluster, starved, "lowest priority beside busy processes", StarveScenario::hog);
        }
    }

    private static void hog() {
        List<Process> hogs = new ArrayList<>();
        try {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                hogs.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            Waiting.pause(HOGGED);
        } catch (IOException e) {
            throw new ScenarioFailure("no busy processes", e);
        } finally {
            hogs.forEach(Process::destroyForcibly);
        }
    }

    private Finding measure(ProcessCluster cluster, ProcessNode starved, String what, Runnable starving) {
        List<ProcessNode> healthy =
                cluster.nodes().stream().filter(node -> node != starved).toList();
        try (MemberViews views = cluster.watch();
                KeyOwners keys = new KeyOwners(healthy, starved.id(), KEYS)) {
            views.awaitAgreement(BACK_MAX);
            keys.begin();
            long begunNanos = System.nanoTime();
            starving.run();
            long woken = System.nanoTime();
            Waiting.pause(AFTERWARDS);
            List<MemberViews.Change> changes = views.changesSince(begunNanos);
            Waiting.orFail("agreement afterwards", () -> views.agree(cluster.nodes(), woken), BACK_MAX);
            starved.trust();
            keys.stop();
            long removed = Removals.of(healthy, changes, healthy);
            long removedByStarved = Removals.of(List.of(starved), changes, healthy);
            return Finding.of(
                    name(),
                    new Figures()
                            .with("what", what)
                            .with("nodes", cluster.size())
                            .withMillis("lengthMillis", woken - begunNanos)
                            .with("healthyRemoved", removed)
                            .with("healthyRemovedByStarved", removedByStarved)
                            .with("healthySuspected", Removals.suspicions(healthy, changes, healthy))
                            .with("starvedRemoved", Removals.of(healthy, changes, List.of(starved)))
                            .with("keysWatched", KEYS)
                            .with("ownersAsked", keys.asked())
                            .with("keysMovedBetweenHealthy", keys.moved()),
                    "no healthy node removed by anyone; no key moves between healthy owners",
                    removed == 0 && removedByStarved == 0 && keys.moved() == 0);
        }
    }
}
