// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Lookups go on through every node while nodes are killed, restarted, join and leave. */
final class LookupsScenario implements Scenario {

    private static final int NODES = 5;
    private static final int INSTANCES = 100;
    private static final int TAGS_EACH = 10;
    private static final int KILLS = 5;
    private static final int QUICK_KILLS = 1;
    private static final Duration AGREEMENT_MAX = Duration.ofMinutes(3);

    /** How long lookups go on after a change. */
    private static final Duration AFTER = Duration.ofSeconds(5);

    private static final Duration AFTER_LEAVING = Duration.ofSeconds(2);
    private static final Duration QUICK_AFTER = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "lookups";
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        List<Finding> findings = new ArrayList<>();
        List<Integer> replicated = run.quick() ? List.of(2) : List.of(2, 3);
        for (int replicas : replicated) {
            try (ProcessCluster cluster = run.cluster(name() + "-k" + replicas, run.nodesOr(NODES), replicas)) {
                findings.addAll(run(run, cluster, replicas));
            }
        }
        if (run.quick()) {
            return findings;
        }
        try (ProcessCluster cluster = run.cluster(name() + "-k1", run.nodesOr(NODES), 1);
                RegistryClient services = cluster.client()) {
            Fleet fleet = Fleet.register(List.of(services), INSTANCES, TAGS_EACH);
            findings.add(measure(run, cluster, fleet, 1, "one leaves and comes back", (each, views) -> {
                int times = run.trialsOr(KILLS, QUICK_KILLS);
                for (int trial = 0; trial < times; trial++) {
                    leave(each, views, trial);
                }
                return times;
            }));
        }
        return findings;
    }

    /** What is done to a cluster meanwhile; says how often. */
    private interface Disturbance {
        int on(ProcessCluster cluster, MemberViews views);
    }

    private List<Finding> run(ChaosRun run, ProcessCluster cluster, int replicas) {
        int kills = run.trialsOr(KILLS, QUICK_KILLS);
        Duration after = run.quick() ? QUICK_AFTER : AFTER;
        List<Finding> findings = new ArrayList<>();
        try (RegistryClient services = cluster.client()) {
            Fleet fleet = Fleet.register(List.of(services), INSTANCES, TAGS_EACH);
            String killed = "kill -9 of " + (replicas - 1) + (replicas == 2 ? "" : " together");
            findings.add(measure(run, cluster, fleet, replicas, killed, (each, views) -> {
                for (int trial = 0; trial < kills; trial++) {
                    kill(each, views, trial, replicas - 1, after);
                }
                return kills;
            }));
            findings.add(measure(run, cluster, fleet, replicas, "rolling restart of all", (each, views) -> {
                for (ProcessNode node : each.nodes()) {
                    node.stop();
                    node.start();
                    node.awaitReady();
                }
                views.awaitAgreement(AGREEMENT_MAX);
                return each.size();
            }));
            findings.add(measure(run, cluster, fleet, replicas, "one joins", (each, views) -> {
                ProcessNode joining = each.addLocal(List.of());
                joining.start();
                joining.awaitReady();
                return 1;
            }));
        }
        return findings;
    }

    private void kill(ProcessCluster cluster, MemberViews views, int trial, int count, Duration after) {
        List<ProcessNode> victims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            victims.add(cluster.node((trial + i) % cluster.size()));
        }
        victims.forEach(ProcessNode::kill);
        List<ProcessNode> others =
                cluster.nodes().stream().filter(node -> !victims.contains(node)).toList();
        Waiting.orFail(
                "the death of " + count + " nodes",
                () -> others.stream().allMatch(other -> views.agrees(other, others)),
                AGREEMENT_MAX);
        Waiting.pause(after); // copies are made anew
        victims.forEach(ProcessNode::start);
        victims.forEach(ProcessNode::awaitReady);
        views.awaitAgreement(AGREEMENT_MAX);
        Waiting.pause(after);
    }

    private static void leave(ProcessCluster cluster, MemberViews views, int trial) {
        ProcessNode node = cluster.node(cluster.size() - 1 - trial % cluster.size());
        node.stop();
        Waiting.pause(AFTER_LEAVING);
        node.start();
        node.awaitReady();
        views.awaitAgreement(AGREEMENT_MAX);
    }

    private Finding measure(
            ChaosRun run, ProcessCluster cluster, Fleet fleet, int replicas, String what, Disturbance disturbance) {
        Duration around = run.quick() ? QUICK_AFTER : AFTER;
        int lostBefore = fleet.lost();
        try (MemberViews views = cluster.watch();
                Callers callers = Callers.start(cluster, fleet, run.random())) {
            views.awaitAgreement(AGREEMENT_MAX);
            Waiting.pause(around);
            long begunNanos = System.nanoTime();
            int times = disturbance.on(cluster, views);
            Waiting.pause(around);
            callers.stop();
            callers.reasons().forEach(run::tell);
            ToIntFunction<ProcessNode> missing = node -> Completeness.missing(node, fleet, run::tell);
            int lost = fleet.lost() - lostBefore;
            int absent = cluster.nodes().stream()
                    .filter(ProcessNode::isUp)
                    .mapToInt(missing)
                    .max()
                    .orElse(0);
            Figures figures = callers.figures(new Figures()
                    .with("what", what)
                    .with("nodes", cluster.size())
                    .with("replicas", replicas)
                    .with("times", times)
                    .with("tags", fleet.tags().size())
                    .withMillis("tookMillis", System.nanoTime() - begunNanos)
                    .with("registrationsLost", lost)
                    .with("tagsMissingAfterwards", absent));
            return Finding.of(
                    name(),
                    figures,
                    "nothing lost, empty or wrong; no failed call for who may ask any node",
                    lost == 0 && absent == 0 && callers.emptyOrWrong() == 0 && callers.failedRoaming() == 0);
        }
    }
}
