// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;

/**
 * How whole states are compared over streams, which mends what gossip missed.
 *
 * @param interval time between exchanges that this member begins
 * @param concurrentMax most exchanges begun by this member under way at once
 * @param wishesMax most addresses waiting for their turn
 * @param timeout after which an exchange has failed
 */
public record ExchangeConfig(Duration interval, int concurrentMax, int wishesMax, Duration timeout) {

    public static final ExchangeConfig DEFAULTS =
            new ExchangeConfig(Duration.ofSeconds(15), 2, 32, Duration.ofSeconds(3));

    /** @throws io.tagbahn.model.InvalidArgument where a value is outside its range */
    public ExchangeConfig {
        Checks.range("exchange.interval", interval, Duration.ofMillis(100), Duration.ofHours(1));
        Checks.range("exchange.concurrentMax", concurrentMax, 1, 64);
        Checks.range("exchange.wishesMax", wishesMax, 1, 10_000);
        Checks.range("exchange.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
    }
}
