// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;

/**
 * How a member finds the others at start.
 *
 * @param retryMin first pause between attempts; it doubles, and each pause is drawn from its upper half
 * @param retryMax longest pause between attempts
 * @param aloneAfter after which a member that reached nobody takes itself for the only one
 */
public record JoinConfig(Duration retryMin, Duration retryMax, Duration aloneAfter) {

    public static final JoinConfig DEFAULTS =
            new JoinConfig(Duration.ofMillis(300), Duration.ofSeconds(3), Duration.ofSeconds(30));

    /** @throws io.tagbahn.model.InvalidArgument where a value is outside its range */
    public JoinConfig {
        Checks.range("join.retryMin", retryMin, Duration.ofMillis(10), Duration.ofMinutes(1));
        Checks.range("join.retryMax", retryMax, retryMin, Duration.ofMinutes(10));
        Checks.range("join.aloneAfter", aloneAfter, Duration.ZERO, Duration.ofDays(1));
    }
}
