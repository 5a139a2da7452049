// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/** Callers of each node, and of any node, at the same time. */
final class Callers implements AutoCloseable {

    private final List<Caller> all = new ArrayList<>();
    private final OwnPauses pauses = new OwnPauses();
    private boolean stopped;

    static Callers start(ProcessCluster cluster, Fleet fleet, SplittableRandom random) {
        Callers callers = new Callers();
        for (ProcessNode node : cluster.nodes()) {
            callers.all.add(new Caller(node.client(), Optional.of(node), fleet, random.split()));
        }
        for (int i = 0; i < 2; i++) {
            callers.all.add(new Caller(cluster.client(), Optional.empty(), fleet, random.split()));
        }
        callers.all.forEach(Caller::start);
        return callers;
    }

    void stop() {
        if (!stopped) {
            stopped = true;
            all.forEach(Caller::stop);
            pauses.close();
        }
    }

    /** What they have found, once stopped. */
    Figures figures(Figures figures) {
        return figures.with("lookups", sum(caller -> caller.calls))
                .with("empty", sum(caller -> caller.empty))
                .with("wrong", sum(caller -> caller.wrong))
                .with("incompleteDegraded", sum(caller -> caller.incomplete))
                .with("degraded", sum(caller -> caller.degraded))
                .with("failedAtDownedNodes", sum(caller -> caller.failedAtDowned))
                .with("failedAtOtherNodes", failedElsewhere())
                .with("failedWithAllNodes", failedRoaming())
                .withMillis("gapOneNodeMillis", longestGap(false))
                .withMillis("gapAllNodesMillis", longestGap(true))
                .withMillis("ownPauseMillis", pauses.longestNanos());
    }

    long emptyOrWrong() {
        return sum(caller -> caller.empty + caller.wrong + caller.incomplete);
    }

    long failedRoaming() {
        return sum(caller -> caller.isRoaming() ? caller.failed : 0);
    }

    /** What was found that should not be, for people. */
    List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        all.forEach(caller -> caller.reasons.forEach((reason, count) -> reasons.add(count + " times at " + reason)));
        return reasons;
    }

    private long failedElsewhere() {
        return sum(caller -> caller.isRoaming() ? 0 : caller.failed);
    }

    private long longestGap(boolean roaming) {
        return all.stream()
                .filter(caller -> caller.isRoaming() == roaming)
                .mapToLong(caller -> caller.gapMaxNanos)
                .max()
                .orElse(0);
    }

    private long sum(ToLongFunction<Caller> counter) {
        return all.stream().mapToLong(counter).sum();
    }

    @Override
    public void close() {
        stop();
    }
}
