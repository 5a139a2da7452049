// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import java.util.List;

/**
 * What was measured.
 *
 * @param answerMicros CPU time of an answer, where none is refused
 * @param refusalMicros CPU time of a refusal
 * @param pinned whether nodes and load had processors of their own
 */
public record OverloadResults(double answerMicros, double refusalMicros, boolean pinned, List<OverloadRow> rows) {

    public OverloadResults {
        rows = List.copyOf(rows);
    }

    /**
     * The best goodput under any load where as many keep to the contract, as it would have been when this row was measured:
     * the machine may have been quicker then, or slower, by what a closed loop got answered.
     */
    public double bestPerSecond(OverloadRow row) {
        return row.sustainedPerSecond()
                * rows.stream()
                        .filter(other -> other.enforced() == row.enforced() && other.manners() == row.manners())
                        .mapToDouble(OverloadRow::shareOfSustained)
                        .max()
                        .orElse(0);
    }
}
