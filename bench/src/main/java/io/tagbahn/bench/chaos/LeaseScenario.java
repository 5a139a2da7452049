// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Instance;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Instances that die without a word, and instances that deregister: when they are gone from every node. */
final class LeaseScenario implements Scenario {

    private static final int NODES = 5;
    private static final int TRIALS = 30;
    private static final int QUICK_TRIALS = 4;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration QUICK_LEASE = Duration.ofSeconds(2);
    private static final Duration AIM_PAST = Duration.ofSeconds(1);
    private static final Duration GONE_MAX = Duration.ofMinutes(2);
    private static final int BEATS = 3;

    @Override
    public String name() {
        return "lease";
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        int trials = run.trialsOr(TRIALS, QUICK_TRIALS);
        Duration lease = run.quick() ? QUICK_LEASE : LEASE;
        try (ProcessCluster cluster = run.cluster(name(), run.nodesOr(NODES), 3);
                RegistryClient services = cluster.client();
                Asked asked = new Asked(cluster.nodes())) {
            return List.of(lapse(services, asked, trials, lease), deregister(run, services, asked, trials, lease));
        }
    }

    /** The nodes, each asked by itself. */
    private static final class Asked implements AutoCloseable {
        private final List<RegistryClient> clients = new ArrayList<>();

        Asked(List<ProcessNode> nodes) {
            nodes.forEach(node -> clients.add(node.client()));
        }

        /** How many of the nodes find something under the tag. */
        long finding(String tag) {
            return clients.stream().filter(client -> finds(client, tag)).count();
        }

        private static boolean finds(RegistryClient client, String tag) {
            try {
                return !client.tagDiscover(tag).instances().isEmpty();
            } catch (NoPeersAvailable e) {
                return false;
            } catch (RegistryException e) {
                return true; // not known to be gone
            }
        }

        @Override
        public void close() {
            clients.forEach(RegistryClient::close);
        }
    }

    private static RegisterRequest request(String name, int index, Duration lease, RegisterMode mode, long generation) {
        Instance instance = Instance.of(Fleet.service(name + "-" + index), Fleet.address(index));
        return new RegisterRequest(
                instance,
                List.of(Tag.parse("urn:" + name + ":" + index)),
                Optional.of(lease),
                mode,
                OptionalLong.of(generation));
    }

    /** Heartbeats are sent, and then no more, which is how the death of a process looks to the registry. */
    private Finding lapse(RegistryClient services, Asked asked, int trials, Duration lease) {
        Histogram past = new Histogram(3);
        long early = 0;
        for (int trial = 0; trial < trials; trial++) {
            String tag = "urn:lapsing:" + trial;
            LeaseGrant grant = services.advertise(request("lapsing", trial, lease, RegisterMode.REPLACE, now()));
            LeaseRef ref = new LeaseRef(grant.instanceId(), grant.generation());
            long beatNanos = System.nanoTime();
            for (int beat = 0; beat < BEATS; beat++) {
                Waiting.pause(grant.heartbeat().dividedBy(BEATS));
                beatNanos = System.nanoTime();
                services.heartbeat(List.of(ref));
            }
            long dueNanos = beatNanos + grant.lease().toNanos();
            while (System.nanoTime() - dueNanos < 0) {
                early += asked.finding(tag) < asked.clients.size() && System.nanoTime() - dueNanos < 0 ? 1 : 0;
                Waiting.pause(Duration.ofMillis(50));
            }
            Waiting.orFail("the end of " + tag, () -> asked.finding(tag) == 0, GONE_MAX);
            past.recordValue(Math.max(0, System.nanoTime() - dueNanos));
        }
        return Finding.of(
                name(),
                new Figures()
                        .with("what", "the instance's process dies")
                        .with("nodes", asked.clients.size())
                        .with("trials", trials)
                        .withMillis("leaseMillis", lease.toNanos())
                        .withTimes("goneFromAllPastLease", past)
                        .with("goneEarly", early),
                "gone from every node within its lease + " + AIM_PAST.toMillis() + " ms, and not before its end",
                past.getMaxValue() <= AIM_PAST.toNanos() && early == 0);
    }

    private Finding deregister(ChaosRun run, RegistryClient services, Asked asked, int trials, Duration lease) {
        int found = 0;
        int accepted = 0;
        int refused = 0;
        int back = 0;
        for (int trial = 0; trial < trials; trial++) {
            String tag = "urn:leaving:" + trial;
            long generation = now();
            LeaseGrant grant = services.advertise(request("leaving", trial, lease, RegisterMode.REPLACE, generation));
            services.deregister(new LeaseRef(grant.instanceId(), grant.generation()));
            found += asked.finding(tag) > 0 ? 1 : 0;
            for (RegistryClient node : asked.clients) {
                for (RegisterRequest late : List.of(
                        request("leaving", trial, lease, RegisterMode.REPLACE, generation),
                        request("leaving", trial, lease, RegisterMode.REPLACE, generation - 1),
                        request("leaving", trial, lease, RegisterMode.ADD, generation))) {
                    try {
                        node.advertise(late);
                        accepted++;
                    } catch (StaleGeneration | NotFound e) {
                        refused++;
                    } catch (RegistryException e) {
                        refused++;
                        run.tell("late registration: " + e);
                    }
                }
                services.heartbeat(List.of(new LeaseRef(grant.instanceId(), grant.generation())));
            }
            back += asked.finding(tag) > 0 ? 1 : 0;
        }
        Waiting.pause(lease.multipliedBy(2));
        for (int trial = 0; trial < trials; trial++) {
            back += asked.finding("urn:leaving:" + trial) > 0 ? 1 : 0;
        }
        return Finding.of(
                name(),
                new Figures()
                        .with("what", "the instance deregisters, and late duplicates of its registration arrive")
                        .with("nodes", asked.clients.size())
                        .with("trials", trials)
                        .with("foundAfterwards", found)
                        .with("lateRefused", refused)
                        .with("lateAccepted", accepted)
                        .with("back", back),
                "gone from every node when deregister has answered; never back",
                found == 0 && accepted == 0 && back == 0);
    }

    private static long now() {
        return System.currentTimeMillis();
    }
}
