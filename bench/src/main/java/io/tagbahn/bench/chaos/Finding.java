// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a scenario has shown.
 *
 * @param figures by name, which ends in the unit; numbers and texts
 * @param aim what was hoped for, in words
 */
public record Finding(String scenario, Map<String, Object> figures, String aim, Outcome outcome) {

    /** Whether it was as hoped for. */
    public enum Outcome {
        PASSED,
        FAILED,
        /** The machine lacks what the scenario needs. */
        SKIPPED
    }

    public Finding {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    static Finding of(String scenario, Figures figures, String aim, boolean reached) {
        return new Finding(scenario, figures.asMap(), aim, reached ? Outcome.PASSED : Outcome.FAILED);
    }

    static Finding skipped(String scenario, String reason) {
        return new Finding(scenario, Map.of("skipped", reason), "", Outcome.SKIPPED);
    }
}
