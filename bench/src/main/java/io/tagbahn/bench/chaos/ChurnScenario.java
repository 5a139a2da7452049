// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Nodes come for a moment and are killed, dozens of times, while one that stays sleeps half of the time. */
final class ChurnScenario implements Scenario {

    private static final int NODES = 3;
    private static final int GUESTS = 60;
    private static final int QUICK_GUESTS = 4;
    private static final Duration FORGET = Duration.ofSeconds(20);
    private static final Duration QUICK_FORGET = Duration.ofSeconds(5);
    private static final Duration STAY = Duration.ofMillis(500);
    private static final Duration NOTICE_MAX = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        int guests = run.trialsOr(GUESTS, QUICK_GUESTS);
        Duration forget = run.quick() ? QUICK_FORGET : FORGET;
        String setting = "cluster.forget=" + forget.toMillis() + "ms";
        Path folder = run.freshFolder("guests");
        try (ProcessCluster cluster = run.cluster(name(), run.nodesOr(NODES), 3, "--set", setting);
                MemberViews views = cluster.watch()) {
            ProcessNode sleeper = cluster.node(cluster.size() - 1);
            long begunNanos = System.nanoTime();
            for (int i = 0; i < guests; i++) {
                if (i % 10 == 0) {
                    sleeper.freeze();
                } else if (i % 10 == 5) {
                    sleeper.thaw();
                }
                visit(folder, "guest-" + i, cluster.node(0), forget);
            }
            sleeper.thaw();
            long endedNanos = System.nanoTime();
            List<ProcessNode> nodes = cluster.nodes();
            Waiting.orFail("agreement afterwards", () -> views.agree(nodes, endedNanos), NOTICE_MAX);
            long agreedNanos = System.nanoTime();
            boolean forgotten = Waiting.until(
                    () -> nodes.stream().allMatch(node -> views.listed(node) == nodes.size()), forget.plus(NOTICE_MAX));
            long forgottenNanos = System.nanoTime();
            // An old list that comes late must bring nobody back.
            sleeper.freeze();
            Waiting.pause(forget.dividedBy(2));
            long wokenNanos = System.nanoTime();
            sleeper.thaw();
            Waiting.orFail("agreement in the end", () -> views.agree(nodes, wokenNanos), NOTICE_MAX);
            Waiting.pause(Duration.ofSeconds(2));
            int listed = nodes.stream().mapToInt(views::listed).max().orElse(0);
            return List.of(Finding.of(
                    name(),
                    new Figures()
                            .with("nodes", nodes.size())
                            .with("guests", guests)
                            .withMillis("forgetMillis", forget.toNanos())
                            .withMillis("churnMillis", endedNanos - begunNanos)
                            .withMillis("agreedMillis", agreedNanos - endedNanos)
                            .withMillis("forgottenMillis", forgottenNanos - endedNanos)
                            .with("listedInTheEnd", listed)
                            .with(
                                    "healthyRemoved",
                                    Removals.of(
                                            nodes.subList(0, nodes.size() - 1),
                                            views.changesSince(begunNanos),
                                            nodes.subList(0, nodes.size() - 1))),
                    "lists have live nodes only once the time of forgetting is over, and stay so",
                    forgotten && listed == nodes.size()));
        }
    }

    private static void visit(Path folder, String id, ProcessNode seed, Duration forget) {
        Node guest = Node.start(NodeConfig.parse(Map.of(
                "node.id",
                id,
                "node.listen",
                "127.0.0.1:0",
                "node.data-dir",
                folder.resolve(id).toString(),
                "cluster.seeds",
                seed.address().toString(),
                "cluster.forget",
                forget.toMillis() + "ms",
                "rpc.threads",
                "1")));
        Waiting.pause(STAY);
        guest.kill();
    }
}
