// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.client.calls.CallCounters;

/**
 * What calls with one policy came to.
 *
 * @param restarts of backends meanwhile, all together
 */
public record ResilienceRow(Policy policy, CallLoad.Outcome outcome, CallCounters counters, int restarts) {

    public long requests() {
        return outcome.requests();
    }

    public double errorShare() {
        return outcome.errorShare();
    }

    /** Of all requests, those that failed included; 100 for the longest. */
    public double millis(double percentile) {
        return outcome.millis(percentile);
    }

    public double amplification() {
        return counters.amplification();
    }
}
