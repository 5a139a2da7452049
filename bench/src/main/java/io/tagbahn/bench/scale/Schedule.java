// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import io.tagbahn.bench.Progress;

/** How long the parts of a measurement take, roughly, so that the share that is done can be told. */
final class Schedule {

    /** Of a cluster, until it is ready. */
    static final double START_SECONDS = 4;

    private static final double FILLED_PER_SECOND = 15_000;
    private static final double SHARE_MAX = 0.99;

    private final ScalePlan plan;
    private final Progress progress;
    private double secondsDone;

    Schedule(ScalePlan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    void tell(String now) {
        progress.at(Math.min(SHARE_MAX, secondsDone / secondsExpected()), now);
    }

    void passed(double seconds) {
        secondsDone += seconds;
    }

    void done() {
        progress.at(1, "done");
    }

    double fillSeconds(int tags) {
        return tags / FILLED_PER_SECOND;
    }

    double costSeconds() {
        return (plan.warmUp().toMillis() + 2.0 * plan.length().toMillis()) / 1e3;
    }

    double beatSeconds() {
        return (plan.beatLength().toMillis() + plan.warmUp().toMillis()) / 1e3;
    }

    private double secondsExpected() {
        int levels =
                plan.small().size() + plan.filled().size() * plan.instances().size();
        double tagsFilled = (plan.filled().size() + 1.0) * plan.instancesMost() * ScalePlan.TAGS_OF_MANY;
        return START_SECONDS * (plan.small().size() + plan.filled().size() + 1)
                + levels * ScaleOperation.values().length * costSeconds()
                + tagsFilled / FILLED_PER_SECOND
                + beatSeconds() * (1 + ScalePlan.LEASES_PER_CALL.size());
    }
}
