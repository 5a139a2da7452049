// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.server.ring.Placement;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Prints how evenly the ring shares keys among 10 to 1,000 nodes, and what moves when one joins or leaves, for several
 * numbers of virtual nodes.
 */
public final class RingBalance {

    private static final int REPLICAS = 3;
    private static final int KEYS_PER_NODE = 2_000;
    private static final int KEYS_MAX = 200_000;

    private RingBalance() {}

    public static void main(String[] args) {
        int[] nodes = {10, 20, 50, 100, 200, 500, 1_000};
        int[] points = args.length == 0 ? new int[] {64, 128, 256, 512} : pointsOf(args);
        print(System.out, nodes, points);
    }

    private static int[] pointsOf(String[] args) {
        int[] points = new int[args.length];
        for (int i = 0; i < args.length; i++) {
            points[i] = Integer.parseInt(args[i]);
        }
        return points;
    }

    /**
     * {@code share σ}, {@code share max}: of the ring, in relation to 1/n. {@code load σ}: of the keys held with three
     * replicas, in relation to the mean. {@code join}, {@code leave}: keys whose first owner changes, in relation to
     * 1/(n + 1) and 1/n, the mean over ten nodes and the worst of them.
     */
    static void print(PrintStream out, int[] nodes, int[] points) {
        out.println("points  nodes  share σ  share max  load σ (k=3)  join mean/worst  leave mean/worst"
                + "  build ms  +1 ms  lookup ns");
        for (int pointsUsual : points) {
            for (int count : nodes) {
                out.println(row(pointsUsual, count));
            }
        }
    }

    private static String row(int pointsUsual, int count) {
        List<RingMember> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(member(i));
        }
        long startNanos = System.nanoTime();
        Ring ring = Ring.of(pointsUsual, members);
        double buildMillis = (System.nanoTime() - startNanos) / 1e6;
        int keys = Math.min(KEYS_MAX, count * KEYS_PER_NODE);

        double[] shares = new double[count];
        for (int i = 0; i < count; i++) {
            shares[i] = ring.share("node-" + i) * count;
        }
        Placement placement = new Placement(ring, REPLICAS);
        Map<String, Integer> held = new HashMap<>();
        startNanos = System.nanoTime();
        for (int key = 0; key < keys; key++) {
            for (String id : placement.owners(key(key))) {
                held.merge(id, 1, Integer::sum);
            }
        }
        double lookupNanos = (double) (System.nanoTime() - startNanos) / keys;
        double[] loads = new double[count];
        for (int i = 0; i < count; i++) {
            loads[i] = (double) held.getOrDefault("node-" + i, 0) * count / keys / REPLICAS;
        }

        startNanos = System.nanoTime();
        Ring joined = ring.with(member(count));
        double addMillis = (System.nanoTime() - startNanos) / 1e6;
        double[] joins = new double[10];
        double[] leaves = new double[10];
        for (int i = 0; i < 10; i++) {
            joins[i] = moved(ring, i == 0 ? joined : ring.with(member(count + i)), keys) * (count + 1);
            leaves[i] = moved(ring, ring.without("node-" + i), keys) * count;
        }
        return String.format(
                Locale.ROOT,
                "%6d  %5d  %6.1f%%  %9.2f  %11.1f%%  %7.2f / %5.2f  %8.2f / %5.2f  %8.1f  %5.1f  %9.0f",
                pointsUsual,
                count,
                deviation(shares) * 100,
                max(shares),
                deviation(loads) * 100,
                mean(joins),
                max(joins),
                mean(leaves),
                max(leaves),
                buildMillis,
                addMillis,
                lookupNanos);
    }

    private static double moved(Ring before, Ring after, int keys) {
        Placement from = new Placement(before, 1);
        Placement to = new Placement(after, 1);
        int moved = 0;
        for (int key = 0; key < keys; key++) {
            if (!from.owners(key(key)).equals(to.owners(key(key)))) {
                moved++;
            }
        }
        return (double) moved / keys;
    }

    private static RingMember member(int number) {
        return new RingMember("node-" + number, Optional.empty(), RingMember.WEIGHT_USUAL);
    }

    private static String key(int number) {
        return "http://example.org/concept/" + number;
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private static double max(double[] values) {
        double max = values[0];
        for (double value : values) {
            max = Math.max(max, value);
        }
        return max;
    }

    private static double deviation(double[] values) {
        double mean = mean(values);
        double sum = 0;
        for (double value : values) {
            sum += (value - mean) * (value - mean);
        }
        return Math.sqrt(sum / values.length);
    }
}
