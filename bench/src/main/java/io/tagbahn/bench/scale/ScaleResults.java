// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import java.util.List;

/** All that was measured, and what follows from it. */
public record ScaleResults(List<CostRow> costs, List<HeldRow> held, List<BeatRow> beats, List<EstimateRow> estimates) {

    public ScaleResults {
        costs = List.copyOf(costs);
        held = List.copyOf(held);
        beats = List.copyOf(beats);
        estimates = List.copyOf(estimates);
    }
}
