// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which hosts do so much worse than the others that they are better left out for a while. */
final class Outliers {

    /** Latencies are compared among at least so many hosts, of which one is an outlier: of two, either may be the usual. */
    private static final int COMPARED_MIN = 3;
    /** Differences shorter than this don't matter to anybody. */
    private static final double LATENCY_NANOS_MIN = 5e6;

    private final EjectionConfig config;

    Outliers(EjectionConfig config) {
        this.config = config;
    }

    /**
     * What a host did since the last time.
     *
     * @param distance of those that are as near, latencies are compared
     * @param latencyNanos mean of its answers; 0 where there was none
     */
    record Figures(int calls, int failures, int distance, double latencyNanos) {

        double failureShare() {
            return calls == 0 ? 0 : (double) failures / calls;
        }
    }

    /**
     * The places of those to be left out, worst first.
     *
     * @param hosts that are in
     * @param out number of hosts that are out already
     */
    List<Integer> of(List<Figures> hosts, int out) {
        int all = hosts.size() + out;
        int most = Math.min(all - 1, Math.max(1, (int) (all * config.shareMax()))) - out;
        if (config.shareMax() == 0 || most <= 0) {
            return List.of();
        }
        double usualShare = median(hosts.stream()
                .filter(host -> host.calls() >= config.callsMin())
                .mapToDouble(Figures::failureShare)
                .toArray());
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            Figures host = hosts.get(i);
            if (host.calls() >= config.callsMin()
                    && (host.failureShare() > usualShare + config.failureShareAbove() || isSlow(host, hosts))) {
                found.add(i);
            }
        }
        found.sort(Comparator.comparingDouble((Integer i) -> -hosts.get(i).failureShare())
                .thenComparingDouble(i -> -hosts.get(i).latencyNanos()));
        return found.subList(0, Math.min(most, found.size()));
    }

    private boolean isSlow(Figures host, List<Figures> hosts) {
        double[] near = hosts.stream()
                .filter(other -> other.distance() == host.distance()
                        && other.calls() >= config.callsMin()
                        && other.latencyNanos() > 0)
                .mapToDouble(Figures::latencyNanos)
                .toArray();
        double usual = median(near);
        return near.length >= COMPARED_MIN
                && host.latencyNanos() > usual * config.latencyTimes()
                && host.latencyNanos() > usual + LATENCY_NANOS_MIN;
    }

    /** The lower one of two in the middle: of two hosts, the better one says what is usual. */
    private static double median(double[] values) {
        Arrays.sort(values);
        return values.length == 0 ? 0 : values[(values.length - 1) / 2];
    }
}
