// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Instance;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/** A node that was killed is started again at its address: how long until all nodes see all again. */
final class RejoinScenario implements Scenario {

    private static final int NODES = 5;
    private static final int TRIALS = 15;
    private static final int QUICK_TRIALS = 1;
    private static final Duration AIM = Duration.ofSeconds(3);
    private static final Duration BACK_MAX = Duration.ofMinutes(3);
    private static final String SERVICE = "lighthouse";

    /** Which node comes back, and with what. */
    private enum Which {
        ANOTHER("a node on its data", true),
        SEED("the only seed of all others, on its data", true),
        /** It has no way of knowing that it isn't the first of its cluster, until the others find it. */
        EMPTY_SEED("the only seed of all others, without its data", false);

        private final String text;
        private final boolean remembers;

        Which(String text, boolean remembers) {
            this.text = text;
            this.remembers = remembers;
        }
    }

    @Override
    public String name() {
        return "rejoin";
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        int size = run.nodesOr(NODES);
        try (ProcessCluster cluster = run.cluster(name(), size, 3);
                MemberViews views = cluster.watch();
                RegistryClient service = cluster.client()) {
            service.register(Instance.of(Fleet.service(SERVICE), Fleet.address(0)), List.of(Tag.parse("urn:beacon")));
            views.awaitAgreement(BACK_MAX);
            return List.of(
                    run(run, cluster, views, Which.ANOTHER),
                    run(run, cluster, views, Which.SEED),
                    run(run, cluster, views, Which.EMPTY_SEED));
        }
    }

    private Finding run(ChaosRun run, ProcessCluster cluster, MemberViews views, Which which) {
        Histogram fromStart = new Histogram(3);
        Histogram fromReady = new Histogram(3);
        Histogram process = new Histogram(3);
        long empty = 0;
        int trials = run.trialsOr(TRIALS, QUICK_TRIALS);
        for (int trial = 0; trial < trials; trial++) {
            ProcessNode node = cluster.node(which == Which.ANOTHER ? 1 + trial % (cluster.size() - 1) : 0);
            List<ProcessNode> others =
                    cluster.nodes().stream().filter(each -> each != node).toList();
            node.kill();
            Waiting.orFail(
                    "the death of " + node.id(),
                    () -> others.stream().noneMatch(other -> views.isMember(other, node.id())),
                    BACK_MAX);
            if (which == Which.EMPTY_SEED) {
                cluster.forget(node);
            }
            long startNanos = System.nanoTime();
            try (Beacon beacon = new Beacon(node)) {
                node.start();
                node.awaitReady();
                long readyNanos = System.nanoTime();
                Waiting.orFail("the return of " + node.id(), () -> views.agree(cluster.nodes(), startNanos), BACK_MAX);
                long backNanos = System.nanoTime();
                fromStart.recordValue(backNanos - startNanos);
                fromReady.recordValue(Math.max(0, backNanos - readyNanos));
                process.recordValue(readyNanos - startNanos);
                empty += beacon.emptyAnswers();
            }
            Waiting.pause(Duration.ofMillis(500));
        }
        return Finding.of(
                name(),
                new Figures()
                        .with("which", which.text)
                        .with("nodes", cluster.size())
                        .with("trials", trials)
                        .withTimes("processStart", fromStart)
                        .withTimes("startToReady", process)
                        .withTimes("afterReady", fromReady)
                        .with("emptyAnswers", empty),
                "back within " + AIM.toMillis() + " ms of the start of its process"
                        + (which.remembers ? "; never an empty answer" : ""),
                fromStart.getValueAtPercentile(99) <= AIM.toNanos() && (empty == 0 || !which.remembers));
    }

    /** Asks a node all the time for what is registered. */
    private static final class Beacon implements AutoCloseable {
        private final RegistryClient client;
        private final AtomicBoolean closed = new AtomicBoolean();
        private final AtomicInteger empty = new AtomicInteger();
        private final Thread thread;

        Beacon(ProcessNode node) {
            client = node.client();
            thread = new Thread(this::ask, "chaos-beacon");
            thread.start();
        }

        private void ask() {
            while (!closed.get()) {
                try {
                    client.discover(SERVICE);
                } catch (NoPeersAvailable e) {
                    empty.incrementAndGet();
                } catch (RegistryException e) {
                    // It is starting.
                }
                Waiting.pause(Duration.ofMillis(5));
            }
        }

        int emptyAnswers() {
            return empty.get();
        }

        @Override
        public void close() {
            closed.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            client.close();
        }
    }
}
