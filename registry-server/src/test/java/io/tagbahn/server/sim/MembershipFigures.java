// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import io.tagbahn.model.MemberState;
import io.tagbahn.server.swim.SwimCounter;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Prints what membership costs and how fast it is in simulated clusters; the figures of
 * docs/decisions/0005-membership-engine.md. Arguments: sizes, by default 3, 10, 100.
 */
public final class MembershipFigures {

    private MembershipFigures() {}

    public static void main(String[] args) {
        int[] sizes = args.length == 0 ? new int[] {3, 10, 100} : new int[args.length];
        for (int i = 0; i < args.length; i++) {
            sizes[i] = Integer.parseInt(args[i]);
        }
        System.out.println(
                "members  join s  packets/s  bytes/s  kill p50/p99/max s  host p50/p99/max s  sleepers: wrong"
                        + "  loss 10 %: suspected/dead per member-hour");
        for (int size : sizes) {
            print(System.out, size);
        }
    }

    private static void print(PrintStream out, int size) {
        SwimCluster cluster = new SwimCluster(size);
        for (int i = 0; i < size; i++) {
            cluster.start(i, 0);
        }
        cluster.time().runUntil(cluster::allAgree, Duration.ofMinutes(2));
        double joinSeconds = cluster.time().nowNanos() / 1e9;
        cluster.time().run(Duration.ofSeconds(20));
        long datagrams = cluster.network().datagrams();
        long bytes = cluster.network().bytes() + streamBytes(cluster);
        cluster.time().run(Duration.ofSeconds(60));
        double packets = (cluster.network().datagrams() - datagrams) / 60.0 / size;
        double traffic = (cluster.network().bytes() + streamBytes(cluster) - bytes) / 60.0 / size;
        // Told as they come: those of large clusters take minutes each.
        out.printf(Locale.ROOT, "%7d  %6.2f  %9.1f  %7.0f", size, joinSeconds, packets, traffic);
        out.flush();
        int trials = size > 300 ? 10 : 100;
        out.printf(Locale.ROOT, "  %18s", detection(cluster, size, trials, false));
        out.flush();
        out.printf(Locale.ROOT, "  %18s", detection(cluster, size, trials, true));
        out.flush();
        out.printf(Locale.ROOT, "  %15d  %s%n", wronglyDead(cluster, size), lossy(cluster, size));
    }

    private static long streamBytes(SwimCluster cluster) {
        return cluster.running().stream()
                .mapToLong(process -> process.machine().count(SwimCounter.STREAM_BYTES_SENT))
                .sum();
    }

    /** Seconds until all others hold a crashed member dead, each trial with another member, which then comes back. */
    private static String detection(SwimCluster cluster, int size, int trials, boolean withHost) {
        List<Double> seconds = new ArrayList<>();
        for (int trial = 0; trial < trials; trial++) {
            int victim = 1 + trial % (size - 1);
            SimProcess process = cluster.node(victim);
            if (withHost) {
                process.vanish();
            } else {
                process.crash();
            }
            long startNanos = cluster.time().nowNanos();
            cluster.time().runUntil(() -> cluster.allThink(process.id(), MemberState.DEAD), Duration.ofMinutes(1));
            seconds.add((cluster.time().nowNanos() - startNanos) / 1e9);
            cluster.start(victim, 0);
            cluster.time().runUntil(cluster::allAgree, Duration.ofMinutes(1));
            cluster.time().run(Duration.ofMillis(500 + cluster.random().nextInt(2_000)));
        }
        Collections.sort(seconds);
        return String.format(
                Locale.ROOT,
                "%.1f/%.1f/%.1f",
                seconds.get(trials / 2),
                seconds.get(Math.min(trials - 1, trials * 99 / 100)),
                seconds.get(trials - 1));
    }

    /** Healthy members held dead by anyone, while thirty times one member sleeps for five seconds. */
    private static long wronglyDead(SwimCluster cluster, int size) {
        long wrong = 0;
        for (int trial = 0; trial < (size > 300 ? 3 : 30); trial++) {
            SimProcess sleeper = cluster.node(1 + trial % (size - 1));
            cluster.forgetSeen();
            sleeper.pause(Duration.ofSeconds(5));
            cluster.time().run(Duration.ofSeconds(10));
            wrong += cluster.deaths().stream()
                    .filter(death -> !death.subject().equals(sleeper.id()))
                    .count();
        }
        return wrong;
    }

    private static String lossy(SwimCluster cluster, int size) {
        cluster.network().quality(LinkQuality.GOOD.withLoss(0.1));
        cluster.forgetSeen();
        int seconds = size > 300 ? 20 : 300;
        cluster.time().run(Duration.ofSeconds(seconds));
        double hours = seconds / 3600.0 * size;
        long suspicions = cluster.seen().stream()
                .filter(change -> change.state() == MemberState.SUSPECT)
                .filter(change -> change.observer().equals("n0"))
                .count();
        return String.format(
                Locale.ROOT, "%.1f/%.1f", suspicions / hours, cluster.deaths().size() / hours);
    }
}
