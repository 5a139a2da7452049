// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

/**
 * What requests of one kind came to in one phase.
 *
 * @param contract whether the processes of the chain call each other with the contract
 * @param phase before, slow, after
 * @param kind alone: the front needs nobody for its answer; chain: it needs the last process
 */
public record ChainRow(boolean contract, String phase, String kind, CallLoad.Outcome outcome) {

    public long requests() {
        return outcome.requests();
    }

    public double errorShare() {
        return outcome.errorShare();
    }

    public double millis(double percentile) {
        return outcome.millis(percentile);
    }
}
