// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.client.calls.BreakerConfig;
import io.tagbahn.client.calls.BulkheadConfig;
import io.tagbahn.client.calls.CallerConfig;
import io.tagbahn.client.calls.RetryConfig;
import io.tagbahn.client.calls.SpreadConfig;
import java.time.Duration;
import java.util.Locale;

/** What a caller does about backends that fail. */
public enum Policy {
    /** A random host, one attempt, a timeout. */
    NONE,
    /** Two more attempts at other hosts, without a budget. */
    RETRY,
    /** A circuit breaker for each host. */
    BREAKER,
    /** A bulkhead for each host. */
    BULKHEAD,
    /** Everything that the library does by default, with these times and this bulkhead. */
    ALL;

    /** Calls under way at one host; usual is less than one. */
    private static final int PER_HOST_MAX = 8;

    CallerConfig config(ResiliencePlan plan) {
        CallerConfig bare = CallerConfig.unguarded()
                .withTimeout(plan.timeout())
                .withSpread(SpreadConfig.defaults().chosenBy(SpreadConfig.Choice.RANDOM));
        BreakerConfig breaker = BreakerConfig.defaults().withOpenFor(plan.breakerOpenFor());
        return switch (this) {
            case NONE -> bare;
            case RETRY ->
                bare.withAttemptTimeout(plan.attemptTimeout())
                        .withRetry(RetryConfig.defaults()
                                .withBackoff(Duration.ofMillis(50), Duration.ofSeconds(1))
                                .withBudget(1, 100_000));
            // A breaker needs to learn in time that a host hangs.
            case BREAKER -> bare.withTimeout(plan.attemptTimeout()).withBreaker(breaker);
            case BULKHEAD -> bare.withBulkhead(BulkheadConfig.defaults().withPerHostMax(PER_HOST_MAX));
            case ALL ->
                CallerConfig.defaults()
                        .withTimeout(plan.timeout())
                        .withAttemptTimeout(plan.attemptTimeout())
                        .withBulkhead(BulkheadConfig.defaults().withPerHostMax(PER_HOST_MAX));
        };
    }

    /** As it is written in reports and on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
