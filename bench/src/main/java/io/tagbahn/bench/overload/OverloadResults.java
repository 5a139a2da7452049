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
}
