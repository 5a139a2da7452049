// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.client.resilience.AdaptiveThrottle;
import io.tagbahn.client.resilience.Backoff;
import io.tagbahn.client.resilience.RetryBudget;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What all calls of one caller share.
 *
 * @param waitMax how long a call may wait for its place in the bulkhead
 * @param kinds what an attempt's failure says
 */
record CallParts(
        CallTarget target,
        CallerConfig config,
        HostRoster roster,
        HostChoice choice,
        Optional<Bulkhead> bulkhead,
        Duration waitMax,
        Optional<AdaptiveThrottle> throttle,
        RetryBudget budget,
        Backoff backoff,
        Function<Throwable, FailureKind> kinds,
        CallTally tally,
        CallTimer timer,
        LongSupplier nanos,
        RandomGenerator random,
        BooleanSupplier isClosed) {

    static CallParts of(
            CallTarget target,
            CallerConfig config,
            Function<Throwable, FailureKind> kinds,
            CallListener listener,
            CallTimer timer,
            LongSupplier nanos,
            RandomGenerator random,
            BooleanSupplier isClosed) {
        CallTally tally = new CallTally(listener);
        RetryConfig retry = config.retry();
        int perHostMax = config.bulkhead().map(BulkheadConfig::perHostMax).orElse(Integer.MAX_VALUE);
        return new CallParts(
                target,
                config,
                new HostRoster(config, nanos, tally),
                new HostChoice(config.spread(), perHostMax, nanos, random),
                config.bulkhead().map(each -> new Bulkhead(each.callsMax(), each.waitingMax())),
                config.bulkhead().map(BulkheadConfig::waitMax).orElse(Duration.ZERO),
                config.throttle() ? Optional.of(AdaptiveThrottle.standard(nanos, random)) : Optional.empty(),
                new RetryBudget(retry.budgetShare(), retry.budgetPerSecond(), Duration.ofSeconds(10), nanos),
                new Backoff(retry.backoffMin(), retry.backoffMax()),
                kinds,
                tally,
                timer,
                nanos,
                random,
                isClosed);
    }
}
