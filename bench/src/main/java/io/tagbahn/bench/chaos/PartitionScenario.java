// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Hosts that cannot reach each other for a while: how long until all see all again, and whether anything is lost. */
final class PartitionScenario implements Scenario {

    private static final int HOSTS = 6;
    private static final int QUICK_HOSTS = 4;
    private static final int PORT = 21_300;
    private static final int INSTANCES = 50;
    private static final Duration PARTED = Duration.ofSeconds(60);
    private static final Duration QUICK_PARTED = Duration.ofSeconds(6);
    private static final Duration AIM = Duration.ofSeconds(15);
    private static final Duration AGREEMENT_MAX = Duration.ofMinutes(2);
    private static final Duration REPAIR_MAX = Duration.ofSeconds(40);

    /** How packets are stopped. */
    private enum Cut {
        HALVES("halves are parted"),
        HALVES_SEED_DEAD("halves are parted, and the only seed dies meanwhile"),
        ONE_WAY("nothing gets from one half to the other, but back"),
        ONE_LINK("two hosts do not reach each other");

        private final String text;

        Cut(String text) {
            this.text = text;
        }
    }

    @Override
    public String name() {
        return "partition";
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public List<Finding> run(ChaosRun run) {
        Optional<String> obstacle = NetworkLab.obstacle();
        if (obstacle.isPresent()) {
            return List.of(Finding.skipped(name(), obstacle.get()));
        }
        int hosts = run.nodes().orElse(run.quick() ? QUICK_HOSTS : HOSTS);
        List<Finding> findings = new ArrayList<>();
        try (NetworkLab lab = NetworkLab.open(hosts);
                ProcessCluster cluster = new ProcessCluster(
                        run.starter(),
                        run.freshFolder(name()),
                        List.of("--replicas", "3", "--set", "cluster.plain=true"),
                        List.of())) {
            for (int host = 1; host <= hosts; host++) {
                cluster.add(HostPort.parse(lab.address(host) + ":" + PORT), lab.on(host));
            }
            cluster.startAll();
            cluster.awaitReady();
            try (RegistryClient services = cluster.client();
                    MemberViews views = cluster.watch()) {
                Fleet fleet = Fleet.register(List.of(services), INSTANCES, 1);
                for (Cut cut : run.quick() ? List.of(Cut.HALVES) : List.of(Cut.values())) {
                    findings.add(measure(run, cut, lab, cluster, fleet, views));
                }
            }
        }
        return findings;
    }

    private Finding measure(
            ChaosRun run, Cut cut, NetworkLab lab, ProcessCluster cluster, Fleet fleet, MemberViews views) {
        views.awaitAgreement(AGREEMENT_MAX);
        List<Integer> all = IntStream.rangeClosed(1, cluster.size()).boxed().toList();
        List<Integer> one = all.subList(0, all.size() / 2);
        List<Integer> other = all.subList(all.size() / 2, all.size());
        int lostBefore = fleet.lost();
        long begunNanos = System.nanoTime();
        switch (cut) {
            case HALVES, HALVES_SEED_DEAD -> lab.part(one, other);
            case ONE_WAY -> lab.cut(one, other);
            case ONE_LINK -> lab.part(List.of(1), List.of(all.size()));
        }
        if (cut == Cut.HALVES_SEED_DEAD) {
            cluster.node(0).kill();
        }
        Duration parted = run.quick() ? QUICK_PARTED : PARTED;
        Waiting.pause(parted.dividedBy(2));
        int through = registerOnBothSides(cluster, cut);
        Waiting.pause(parted.dividedBy(2));
        List<ProcessNode> live =
                cluster.nodes().stream().filter(ProcessNode::isRunning).toList();
        long removals = Removals.of(live, views.changesSince(begunNanos), live);
        lab.heal();
        long healedNanos = System.nanoTime();
        boolean merged = Waiting.until(() -> views.agree(live, healedNanos), AGREEMENT_MAX);
        long mergedNanos = System.nanoTime();
        boolean found =
                Waiting.until(() -> foundEverywhere(live, cut, through) && missing(run, live, fleet) == 0, REPAIR_MAX);
        long foundNanos = System.nanoTime();
        int missing = missing(run, live, fleet);
        if (cut == Cut.HALVES_SEED_DEAD) {
            cluster.node(0).start();
            cluster.node(0).awaitReady();
        }
        boolean calm = cut != Cut.ONE_LINK || removals == 0;
        return Finding.of(
                name(),
                new Figures()
                        .with("what", cut.text)
                        .with("hosts", cluster.size())
                        .withMillis("partedMillis", healedNanos - begunNanos)
                        .with("removalsWhileParted", removals)
                        .withMillis("mergedMillis", mergedNanos - healedNanos)
                        .with("registeredMeanwhile", through)
                        .withMillis("allFoundEverywhereMillis", foundNanos - healedNanos)
                        .with("tagsMissingAfterwards", missing)
                        .with("leasesLost", fleet.lost() - lostBefore),
                cut == Cut.ONE_LINK
                        ? "nobody removed, and everything found everywhere"
                        : "all see all within " + AIM.toMillis() + " ms, and everything is found everywhere "
                                + REPAIR_MAX.toSeconds() + " s later",
                merged && calm && found && missing == 0 && mergedNanos - healedNanos <= AIM.toNanos());
    }

    private static int missing(ChaosRun run, List<ProcessNode> nodes, Fleet fleet) {
        return nodes.stream()
                .mapToInt(node -> Completeness.missing(node, fleet, run::tell))
                .max()
                .orElse(0);
    }

    private static String lowerCase(Cut cut) {
        return cut.name().toLowerCase(Locale.ROOT);
    }

    private static String tag(Cut cut, int index) {
        return "urn:" + lowerCase(cut) + ":" + index;
    }

    /** Through each node that runs; says how many instances that makes. */
    private static int registerOnBothSides(ProcessCluster cluster, Cut cut) {
        int index = 0;
        for (ProcessNode node : cluster.nodes()) {
            if (!node.isRunning()) {
                continue;
            }
            RegistryClientConfig config = RegistryClientConfig.defaults().withRegistries(List.of(node.address()));
            try (RegistryClient client = RegistryClient.connect(config)) {
                client.advertise(Requests.replace(
                        Instance.of(Fleet.service(lowerCase(cut)), Fleet.address(1_000 + index)),
                        List.of(Tag.parse(tag(cut, index))),
                        Duration.ofMinutes(10)));
                index++;
            }
        }
        return index;
    }

    private static boolean foundEverywhere(List<ProcessNode> nodes, Cut cut, int count) {
        List<String> tags = IntStream.range(0, count).mapToObj(i -> tag(cut, i)).toList();
        for (ProcessNode node : nodes) {
            try (RegistryClient client = node.client()) {
                if (client.tagDiscover(tags).instances().size() < count) {
                    return false;
                }
            } catch (RegistryException e) {
                return false;
            }
        }
        return true;
    }
}
