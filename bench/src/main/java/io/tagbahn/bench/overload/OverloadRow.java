// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import java.util.OptionalDouble;

/**
 * What a load came to.
 *
 * @param enforced whether the nodes refuse calls
 * @param manners of the callers
 * @param times of what can be sustained that were offered
 * @param sustainedPerSecond calls that a closed loop got answered right before and after
 * @param offeredPerSecond calls that were due
 * @param goodPerSecond answered while the caller waited
 * @param refusedPerSecond requests that the nodes have refused
 * @param timedOutPerSecond requests without an answer in time
 * @param keptBackPerSecond calls that the callers kept back by themselves
 * @param amplification requests for each call that was not kept back
 * @param p50Millis of the good answers, from when the call was due
 * @param cpuMicrosPerGood CPU time of the nodes for each good answer, with all that they did besides
 * @param beatsFailed heartbeats without a good answer, of a hundred
 * @param leasesLost instances that the nodes let go of though somebody renewed them
 * @param backMillis until all calls were answered again after the end of the load; absent where that did not come
 */
public record OverloadRow(
        boolean enforced,
        Manners manners,
        double times,
        double sustainedPerSecond,
        double offeredPerSecond,
        double goodPerSecond,
        double refusedPerSecond,
        double timedOutPerSecond,
        double keptBackPerSecond,
        double amplification,
        double p50Millis,
        double p99Millis,
        double cpuMicrosPerGood,
        double beatsFailed,
        int leasesLost,
        OptionalDouble backMillis) {

    double shareOfSustained() {
        return goodPerSecond / Math.max(1, sustainedPerSecond);
    }
}
