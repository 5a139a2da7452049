// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Instance;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPeers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.HdrHistogram.Histogram;

/** All nodes are asked for an instance at the moment at which its registration has been answered. */
final class EverywhereScenario implements Scenario {

    private static final int NODES = 5;
    private static final int REGISTRATIONS = 1_000;
    private static final int QUICK_REGISTRATIONS = 100;
    private static final int TAGS = 3;
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration BACK_MAX = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "everywhere";
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        int registrations = run.quick() ? QUICK_REGISTRATIONS : REGISTRATIONS;
        try (ProcessCluster cluster = run.cluster(name(), run.nodesOr(NODES), 3);
                RegistryClient services = cluster.client()) {
            Count quiet = new Count();
            for (int i = 0; i < registrations; i++) {
                register(services, cluster, quiet, "quiet", i);
            }
            quiet.close();
            Count crash = new Count();
            ProcessNode victim = cluster.node(cluster.size() - 1);
            for (int i = 0; i < registrations; i++) {
                if (i == registrations / 3) {
                    victim.kill();
                } else if (i == registrations * 2 / 3) {
                    victim.start();
                }
                register(services, cluster, crash, "crash", i);
            }
            Waiting.orFail("the return of " + victim.id(), victim::isReady, BACK_MAX);
            crash.close();
            quiet.tell(run);
            crash.tell(run);
            return List.of(
                    quiet.finding(name(), "all nodes are well", cluster.size(), registrations),
                    crash.finding(name(), "one is killed and comes back", cluster.size(), registrations));
        }
    }

    /** What came of asking. */
    private static final class Count implements AutoCloseable {
        private final Histogram registered = new Histogram(3);
        private final Map<ProcessNode, RegistryClient> clients = new LinkedHashMap<>();
        private final Map<String, Integer> reasons = new LinkedHashMap<>();
        private long answers;
        private long right;
        private long wrong;
        private long failed;
        private long registrationsFailed;

        RegistryClient client(ProcessNode node) {
            return clients.computeIfAbsent(node, ProcessNode::client);
        }

        void tell(ChaosRun run) {
            reasons.forEach((reason, count) -> run.tell(count + " times " + reason));
        }

        Finding finding(String scenario, String what, int nodes, int registrations) {
            return Finding.of(
                    scenario,
                    new Figures()
                            .with("what", what)
                            .with("nodes", nodes)
                            .with("registrations", registrations)
                            .withTimes("register", registered)
                            .with("answers", answers)
                            .with("right", right)
                            .with("emptyOrWrong", wrong)
                            .with("failed", failed)
                            .with("registrationsFailed", registrationsFailed),
                    "right through any node as soon as register has answered; no failed registration",
                    wrong == 0 && failed == 0 && registrationsFailed == 0);
        }

        @Override
        public void close() {
            clients.values().forEach(RegistryClient::close);
        }
    }

    private static void register(RegistryClient services, ProcessCluster cluster, Count count, String name, int index) {
        List<String> tags = new ArrayList<>();
        for (int t = 0; t < TAGS; t++) {
            tags.add("urn:" + name + ":" + index + ":" + t);
        }
        Instance instance = Instance.of(Fleet.service(name + "-" + index), Fleet.address(index));
        List<ProcessNode> asked =
                cluster.nodes().stream().filter(ProcessNode::isUp).toList();
        long begunNanos = System.nanoTime();
        try {
            services.advertise(new RegisterRequest(
                    instance,
                    tags.stream().map(Tag::parse).toList(),
                    Optional.of(LEASE),
                    RegisterMode.REPLACE,
                    OptionalLong.of(System.currentTimeMillis())));
        } catch (RegistryException e) {
            count.registrationsFailed++;
            count.reasons.merge("registering: " + e, 1, Integer::sum);
            return;
        }
        count.registered.recordValue(System.nanoTime() - begunNanos);
        Map<ProcessNode, CompletableFuture<TagPeers>> answers = new LinkedHashMap<>();
        for (ProcessNode node : asked) {
            answers.put(node, count.client(node).tagDiscoverAsync(tags).toCompletableFuture());
        }
        answers.forEach((node, answer) -> {
            count.answers++;
            try {
                check(count, node, answer.join(), tags, instance);
            } catch (CompletionException e) {
                if (e.getCause() instanceof NoPeersAvailable) {
                    count.wrong++;
                } else {
                    count.failed++;
                }
                count.reasons.merge(node.id() + ": " + e.getCause(), 1, Integer::sum);
            }
        });
    }

    private static void check(Count count, ProcessNode node, TagPeers found, List<String> tags, Instance instance) {
        boolean right = tags.stream()
                .allMatch(tag -> found.instances().getOrDefault(tag, List.of()).stream()
                        .map(Instance::id)
                        .toList()
                        .equals(List.of(instance.id())));
        if (right) {
            count.right++;
        } else {
            count.wrong++;
            count.reasons.merge(node.id() + ": incomplete" + (found.degraded() ? ", degraded" : ""), 1, Integer::sum);
        }
    }
}
