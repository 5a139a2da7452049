// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import java.time.Duration;
import java.util.List;

/**
 * What is to be measured of the pipeline.
 *
 * @param ratesPerSecond of requests, one after another
 * @param overloadPerSecond of requests in the case where near overloads one instance
 * @param duration of each load
 * @param work of each stage for a request
 * @param delay between the zones, one way
 * @param timeout of a request
 */
public record AffinityPlan(
        List<Double> ratesPerSecond,
        double overloadPerSecond,
        Duration duration,
        Duration work,
        Duration delay,
        Duration timeout) {

    public AffinityPlan {
        ratesPerSecond = List.copyOf(ratesPerSecond);
    }
}
