// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.LeaseConfig;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPeers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * All nodes are killed, and started again without what they held, while services look hosts up out of answers that their
 * clients keep: who lacks hosts meanwhile, and what the nodes get to do when they are back.
 */
final class OutageScenario implements Scenario {

    private static final int NODES = 3;
    private static final int CLIENTS = 50;
    private static final int QUICK_CLIENTS = 10;
    private static final int INSTANCES = 50;
    private static final int TAGS_EACH = 4;
    private static final int TAGS_PER_CLIENT = 10;
    private static final int CALLERS = 4;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration NEWS_LEASE = Duration.ofMinutes(10);
    private static final Duration REFRESH_EVERY = Duration.ofSeconds(3);
    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final Duration QUICK_OUTAGE = Duration.ofSeconds(10);
    private static final Duration SPREADING = Duration.ofSeconds(12);
    private static final Duration NORMAL = Duration.ofSeconds(20);
    private static final Duration QUICK_NORMAL = Duration.ofSeconds(8);
    private static final Duration CALL_EVERY = Duration.ofMillis(4);
    private static final Duration FRESH_AIM = Duration.ofSeconds(5);
    private static final Duration FRESH_MAX = Duration.ofMinutes(2);
    private static final int SECONDS_AFTER = 10;
    private static final long SECOND_NANOS = 1_000_000_000L;

    @Override
    public String name() {
        return "outage";
    }

    /** A client, as a service has it, and what it looks up. */
    private record Asker(RegistryClient client, List<String> tags) {

        TagPeers look(int index) {
            return client.tagDiscover(tags.get(index));
        }

        /** Whether all of its answers hold an instance. */
        boolean seesEverywhere(InstanceId id) {
            return tags.stream()
                    .allMatch(tag -> client.tagDiscover(tag).instances().getOrDefault(tag, List.of()).stream()
                            .anyMatch(instance -> instance.id().equals(id)));
        }

        /** Whether the registry has given all of its answers, and whole, after a moment. */
        boolean isWholeSince(long nanos) {
            return tags.stream().allMatch(tag -> {
                TagPeers found = client.tagDiscover(tag);
                return !found.degraded() && found.freshness().age().toNanos() <= System.nanoTime() - nanos;
            });
        }
    }

    /** Looks hosts up as if for calls to services, all the time. */
    private static final class Callers implements AutoCloseable {
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicLong calls = new AtomicLong();
        private final AtomicLong withoutHosts = new AtomicLong();
        private volatile boolean stopped;

        Callers(List<Asker> askers, SplittableRandom random) {
            for (int i = 0; i < CALLERS; i++) {
                SplittableRandom own = random.split();
                Thread thread = new Thread(() -> work(askers, own), "chaos-caller-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        private void work(List<Asker> askers, SplittableRandom random) {
            while (!stopped) {
                Asker asker = askers.get(random.nextInt(askers.size()));
                int index = random.nextInt(asker.tags().size());
                calls.incrementAndGet();
                try {
                    if (asker.look(index).instances().isEmpty()) {
                        withoutHosts.incrementAndGet();
                    }
                } catch (RegistryException e) {
                    withoutHosts.incrementAndGet();
                }
                Waiting.pause(CALL_EVERY);
            }
        }

        @Override
        public void close() {
            stop();
        }

        void stop() {
            stopped = true;
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw Waiting.interrupted();
                }
            }
        }
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        List<RegistryClient> clients = new ArrayList<>();
        try (ProcessCluster cluster = run.cluster(name(), run.nodesOr(NODES), 3);
                RegistryClient services =
                        RegistryClient.connect(cluster.config().withLease(lease(cluster.config())))) {
            Fleet fleet = Fleet.register(List.of(services), INSTANCES, TAGS_EACH);
            List<Asker> askers = askers(run, cluster, fleet, clients);
            return List.of(measure(run, cluster, services, fleet, askers));
        } finally {
            clients.forEach(RegistryClient::close);
        }
    }

    private static LeaseConfig lease(RegistryClientConfig config) {
        return config.lease().withDuration(LEASE);
    }

    private static List<Asker> askers(ChaosRun run, ProcessCluster cluster, Fleet fleet, List<RegistryClient> clients) {
        RegistryClientConfig usual = RegistryClientConfig.defaults();
        RegistryClientConfig config = usual.withRegistries(
                        cluster.nodes().stream().map(ProcessNode::address).toList())
                .withKept(usual.kept().withRefreshEvery(REFRESH_EVERY));
        SplittableRandom random = run.random();
        List<Asker> askers = new ArrayList<>();
        for (int i = 0; i < (run.quick() ? QUICK_CLIENTS : CLIENTS); i++) {
            RegistryClient client = RegistryClient.connect(config);
            clients.add(client);
            List<String> tags = random.ints(TAGS_PER_CLIENT, 0, fleet.tags().size())
                    .mapToObj(fleet.tags()::get)
                    .distinct()
                    .toList();
            askers.add(new Asker(client, tags));
            tags.forEach(client::tagDiscover);
        }
        return askers;
    }

    private static long attempts(List<Asker> askers) {
        return askers.stream()
                .mapToLong(asker -> asker.client().counters().attempts())
                .sum();
    }

    private static double attemptsPerSecond(List<Asker> askers, Duration time) {
        long before = attempts(askers);
        long begunNanos = System.nanoTime();
        Waiting.pause(time);
        return (attempts(askers) - before) * (double) SECOND_NANOS / (System.nanoTime() - begunNanos);
    }

    private Finding measure(
            ChaosRun run, ProcessCluster cluster, RegistryClient services, Fleet fleet, List<Asker> askers) {
        Duration outage = run.outageSeconds().isPresent()
                ? Duration.ofSeconds(run.outageSeconds().getAsInt())
                : run.quick() ? QUICK_OUTAGE : OUTAGE;
        try (Callers callers = new Callers(askers, run.random())) {
            Waiting.pause(SPREADING);
            double normal = attemptsPerSecond(askers, run.quick() ? QUICK_NORMAL : NORMAL);
            run.tell("attempts a second: " + Math.round(normal));
            cluster.nodes().forEach(ProcessNode::kill);
            cluster.nodes().forEach(cluster::forget);
            double during = attemptsPerSecond(askers, outage);
            cluster.startAll();
            Waiting.orFail(
                    "the return of a node", () -> cluster.nodes().stream().anyMatch(ProcessNode::isReady), FRESH_MAX);
            long backNanos = System.nanoTime();
            Return back = new Return(askers, backNanos, services, () -> news(fleet));
            back.watch();
            callers.stop();
            return finding(cluster, askers, outage, normal, during, back, callers);
        }
    }

    /** Something that is new after the return, and that every answer has once it was asked for anew. */
    private static RegisterRequest news(Fleet fleet) {
        return Requests.replace(
                Instance.of(Fleet.service("news"), Fleet.address(INSTANCES)),
                fleet.tags().stream().map(Tag::parse).toList(),
                NEWS_LEASE);
    }

    /** What happens from the moment on at which a node is ready. */
    private static final class Return {
        private final List<Asker> askers;
        private final long backNanos;
        private final RegistryClient services;
        private final Supplier<RegisterRequest> news;
        private CompletableFuture<LeaseGrant> telling = CompletableFuture.failedFuture(new CancellationException());
        private final List<Long> attemptsBySecond = new ArrayList<>();
        private long registeredNanos;
        private long refreshedNanos;
        private long wholeNanos;

        Return(List<Asker> askers, long backNanos, RegistryClient services, Supplier<RegisterRequest> news) {
            this.askers = askers;
            this.backNanos = backNanos;
            this.services = services;
            this.news = news;
        }

        void watch() {
            InstanceId id = news.get().instance().id();
            long before = attempts(askers);
            long second = 1;
            while (attemptsBySecond.size() < SECONDS_AFTER || wholeNanos == 0 || refreshedNanos == 0) {
                long now = System.nanoTime();
                if (now - backNanos > FRESH_MAX.toNanos()) {
                    throw new ScenarioFailure("answers are not whole again after " + FRESH_MAX.toSeconds() + " s");
                }
                if (now - backNanos >= second * SECOND_NANOS) {
                    long attempts = attempts(askers);
                    attemptsBySecond.add(attempts - before);
                    before = attempts;
                    second++;
                }
                if (registeredNanos == 0) {
                    tell(now);
                }
                if (refreshedNanos == 0 && askers.stream().allMatch(asker -> asker.seesEverywhere(id))) {
                    refreshedNanos = now;
                }
                if (wholeNanos == 0 && askers.stream().allMatch(asker -> asker.isWholeSince(backNanos))) {
                    wholeNanos = now;
                }
                Waiting.pause(Duration.ofMillis(25));
            }
        }

        /** Tries again and again, so that its success is the moment at which the registry takes registrations. */
        private void tell(long now) {
            if (telling.isCompletedExceptionally()) {
                telling = services.advertiseAsync(news.get()).toCompletableFuture();
            } else if (telling.isDone()) {
                registeredNanos = now;
            }
        }
    }

    private Finding finding(
            ProcessCluster cluster,
            List<Asker> askers,
            Duration outage,
            double normal,
            double during,
            Return back,
            Callers callers) {
        long first = back.attemptsBySecond.get(0);
        long most =
                back.attemptsBySecond.stream().mapToLong(Long::longValue).max().orElse(0);
        long stale = askers.stream()
                .mapToLong(asker -> asker.client().counters().staleAnswers())
                .sum();
        boolean reached = callers.withoutHosts.get() == 0
                && first <= 2 * normal
                && back.refreshedNanos - back.registeredNanos <= FRESH_AIM.toNanos();
        return Finding.of(
                name(),
                new Figures()
                        .with("nodes", cluster.size())
                        .with("clients", askers.size())
                        .withMillis("outageMillis", outage.toNanos())
                        .with("lookups", callers.calls.get())
                        .with("lookupsWithoutHosts", callers.withoutHosts.get())
                        .with("staleAnswers", stale)
                        .with("normalPerSecond", Math.round(normal))
                        .with("duringPerSecond", Math.round(during))
                        .with("firstSecond", first)
                        .with("fullestSecond", most)
                        .withMillis("backToRegisteredMillis", back.registeredNanos - back.backNanos)
                        .withMillis("registeredToRefreshedMillis", back.refreshedNanos - back.registeredNanos)
                        .withMillis("backToWholeMillis", back.wholeNanos - back.backNanos),
                "no lookup without hosts; in the first second at most twice the attempts of a usual one; all answers"
                        + " asked for anew within " + FRESH_AIM.toSeconds() + " s of the registry taking registrations",
                reached);
    }
}
