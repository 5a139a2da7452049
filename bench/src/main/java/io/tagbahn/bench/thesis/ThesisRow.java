// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

/**
 * What an experiment came to on clusters of one size.
 *
 * @param floorMillis median of the same calls, with the same bytes, to an echo, each right after the one to the node
 * @param repeated calls to the node that had to be made again, all samples together
 * @param coldMillis median of the first time on each cluster, straight after its start
 */
public record ThesisRow(
        Experiment experiment,
        int nodes,
        int replicas,
        int runs,
        Summary times,
        double floorMillis,
        int repeated,
        double coldMillis) {

    public String table() {
        return experiment.table();
    }

    public String mode() {
        return experiment.mode();
    }

    public double timesFloor() {
        return times.medianMillis() / floorMillis;
    }
}
