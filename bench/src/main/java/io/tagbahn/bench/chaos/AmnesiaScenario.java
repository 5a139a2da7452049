// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.Registration;
import io.tagbahn.client.RegistrationState;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.LeaseGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All nodes are killed and started without their data, while services run that know nothing of it. */
final class AmnesiaScenario implements Scenario {

    private static final int NODES = 5;
    private static final int SERVICES = 100;
    private static final int QUICK_SERVICES = 20;
    private static final int TAGS_EACH = 3;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration QUICK_LEASE = Duration.ofSeconds(9);
    private static final Duration AIM_PAST = Duration.ofSeconds(2);
    private static final double BUCKET_SHARE_MAX = 0.3;
    private static final Duration HEALED_MAX = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "amnesia";
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        int services = run.quick() ? QUICK_SERVICES : SERVICES;
        List<RegistryClient> clients = new ArrayList<>();
        try (ProcessCluster cluster = run.cluster(name(), run.nodesOr(NODES), 3)) {
            RegistryClientConfig config = cluster.config();
            for (int i = 0; i < services; i++) {
                // Each service is a program of its own, with a client of its own.
                clients.add(RegistryClient.connect(
                        config.withLease(config.lease().withDuration(run.quick() ? QUICK_LEASE : LEASE))));
            }
            Fleet fleet = Fleet.register(clients, services, TAGS_EACH);
            Duration heartbeat = fleet.registrations()
                    .get(0)
                    .grant()
                    .map(LeaseGrant::heartbeat)
                    .orElseThrow();
            // So that heartbeats have spread.
            Waiting.pause(heartbeat);
            return List.of(measure(run, cluster, fleet, heartbeat));
        } finally {
            clients.forEach(RegistryClient::close);
        }
    }

    private Finding measure(ChaosRun run, ProcessCluster cluster, Fleet fleet, Duration heartbeat) {
        long killedNanos = System.nanoTime();
        cluster.nodes().forEach(ProcessNode::kill);
        cluster.nodes().forEach(cluster::forget);
        cluster.startAll();
        cluster.nodes().forEach(ProcessNode::awaitReady);
        long readyNanos = System.nanoTime();
        Waiting.orFail(
                "the registration of all services",
                () -> fleet.reregisteredNanos().size() >= fleet.registrations().size(),
                HEALED_MAX);
        long healedNanos = fleet.reregisteredNanos().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(readyNanos);
        int missing = cluster.nodes().stream()
                .mapToInt(node -> Completeness.missing(node, fleet, run::tell))
                .max()
                .orElse(0);
        long notRegistered = fleet.registrations().stream()
                .map(Registration::state)
                .filter(state -> state != RegistrationState.REGISTERED)
                .count();
        double share = largestShare(fleet.reregisteredNanos());
        boolean healed = missing == 0
                && notRegistered == 0
                && healedNanos - readyNanos <= heartbeat.plus(AIM_PAST).toNanos();
        return Finding.of(
                name(),
                new Figures()
                        .with("nodes", cluster.size())
                        .with("services", fleet.registrations().size())
                        .withMillis("heartbeatMillis", heartbeat.toNanos())
                        .withMillis("killToReadyMillis", readyNanos - killedNanos)
                        .withMillis("readyToRegisteredMillis", healedNanos - readyNanos)
                        .with("reregistrations", fleet.reregisteredNanos().size())
                        .with("largestSecondPercent", Math.round(100 * share))
                        .with("tagsMissingAfterwards", missing)
                        .with("notRegistered", notRegistered),
                "all registered again within a heartbeat interval + " + AIM_PAST.toMillis()
                        + " ms of the nodes being ready" + (run.quick() ? "" : "; at most 30 % of it in one second"),
                healed && (share <= BUCKET_SHARE_MAX || run.quick()));
    }

    /** The share of the fullest second, counted from the first one's time. */
    private static double largestShare(Collection<Long> nanos) {
        long first = nanos.stream().mapToLong(Long::longValue).min().orElse(0);
        Map<Long, Long> bySecond = nanos.stream()
                .map(each -> (each - first) / 1_000_000_000L)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return bySecond.values().stream().mapToLong(Long::longValue).max().orElse(0) / (double) nanos.size();
    }
}
