// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Many nodes join at once through one, all in this process: how long until all see all. */
final class BurstScenario implements Scenario {

    private static final int NODES = 50;
    private static final int QUICK_NODES = 10;
    private static final int REHEARSALS = 2;
    private static final Duration AIM = Duration.ofSeconds(5);
    private static final Duration AGREEMENT_MAX = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "burst";
    }

    /** A node in this process. */
    private record LocalNode(Node node) implements Watchable {

        @Override
        public String id() {
            return node.id();
        }

        @Override
        public RegistryClient client() {
            return NodeClients.of(node.advertised());
        }
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        int size = run.nodes().orElse(run.quick() ? QUICK_NODES : NODES);
        Path folder = run.freshFolder(name());
        if (!run.quick()) {
            // One process stands for the machines of all, which don't wait for each other's compilers.
            for (int i = 1; i <= REHEARSALS; i++) {
                burst(folder.resolve("rehearsal-" + i), size);
            }
        }
        return List.of(burst(folder.resolve("burst"), size));
    }

    private Finding burst(Path folder, int size) {
        List<Node> nodes = new CopyOnWriteArrayList<>();
        try (Lanes starters = new Lanes("chaos-start", size)) {
            nodes.add(start(folder, 0, ""));
            String seed = nodes.get(0).advertised().toString();
            long begunNanos = System.nanoTime();
            for (int i = 1; i < size; i++) {
                int index = i;
                starters.begin(() -> nodes.add(start(folder, index, seed)));
            }
            starters.await();
            long startedNanos = System.nanoTime();
            List<LocalNode> eyes = nodes.stream().map(LocalNode::new).toList();
            try (MemberViews views = new MemberViews(eyes)) {
                Waiting.orFail("agreement of all", () -> views.agree(eyes, begunNanos), AGREEMENT_MAX);
                long agreedNanos = views.lastChangeNanos() - startedNanos > 0 ? views.lastChangeNanos() : startedNanos;
                Waiting.orFail(
                        "readiness of all",
                        () -> nodes.stream().allMatch(node -> node.status().ready()),
                        AGREEMENT_MAX);
                long readyNanos = System.nanoTime();
                return Finding.of(
                        name(),
                        new Figures()
                                .with("nodes", size)
                                .with("processes", 1)
                                .withMillis("allStartedMillis", startedNanos - begunNanos)
                                .withMillis("allSeeAllMillis", agreedNanos - begunNanos)
                                .withMillis("allReadyMillis", readyNanos - begunNanos),
                        "all see all within " + AIM.toMillis() + " ms of the first one's start",
                        agreedNanos - begunNanos <= AIM.toNanos());
            }
        } finally {
            nodes.forEach(Node::kill);
        }
    }

    private static Node start(Path folder, int index, String seed) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "node.id",
                "node-" + (index + 1),
                "node.listen",
                "127.0.0.1:0",
                "node.data-dir",
                folder.resolve("node-" + (index + 1)).toString(),
                "rpc.threads",
                "1"));
        if (!seed.isEmpty()) {
            settings.put("cluster.seeds", seed);
        }
        return Node.start(NodeConfig.parse(settings));
    }
}
