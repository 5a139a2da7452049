// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.time.Duration;

/**
 * How old an answer was when it was handed out.
 *
 * @param age since the registry gave it; zero where it was asked for this call
 * @param stale whether it stands in for one that the registry could not give: what it says may have changed meanwhile
 */
public record Freshness(Duration age, boolean stale) {

    /** An answer to this very call. */
    public static final Freshness NOW = new Freshness(Duration.ZERO, false);

    public Freshness {
        if (age.isNegative()) {
            throw new IllegalArgumentException("age " + age + " < 0");
        }
    }
}
