// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

/**
 * What requests on one route came to.
 *
 * @param situation usual, or overload: one near instance bears less than half of the load
 */
public record AffinityRow(Route route, String situation, double ratePerSecond, CallLoad.Outcome outcome) {

    public long completed() {
        return outcome.requests() - outcome.errors();
    }

    public long errors() {
        return outcome.errors();
    }

    public double meanMillis() {
        return outcome.meanMillis();
    }

    public double millis(double percentile) {
        return outcome.millis(percentile);
    }
}
