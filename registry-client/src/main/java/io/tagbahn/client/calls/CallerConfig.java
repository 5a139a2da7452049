// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.Locality;
import java.time.Duration;
import java.util.Optional;

/**
 * How a {@link Caller} guards its calls.
 *
 * @param timeout deadline of a call with all its attempts; 1 ms to 1 h
 * @param attemptTimeout of one attempt, where others may follow it; without, an attempt may take all the time left
 * @param bulkhead none: as many calls as come
 * @param breaker none: a host that fails is called all the same
 * @param ejection none: a host that does worse than the others is called all the same
 * @param throttle whether calls fail here where the hosts reject most of them
 */
public record CallerConfig(
        Duration timeout,
        Optional<Duration> attemptTimeout,
        RetryConfig retry,
        Optional<BulkheadConfig> bulkhead,
        Optional<BreakerConfig> breaker,
        Optional<EjectionConfig> ejection,
        SpreadConfig spread,
        boolean throttle) {

    public CallerConfig {
        Limits.check("timeout", timeout, Limits.TIME_MIN, Limits.TIME_MAX);
        attemptTimeout.ifPresent(each -> Limits.check("attemptTimeout", each, Limits.TIME_MIN, Limits.TIME_MAX));
    }

    /** Everything on, with a deadline of 1 s. */
    public static CallerConfig defaults() {
        return new CallerConfig(
                Duration.ofSeconds(1),
                Optional.empty(),
                RetryConfig.defaults(),
                Optional.of(BulkheadConfig.defaults()),
                Optional.of(BreakerConfig.defaults()),
                Optional.of(EjectionConfig.defaults()),
                SpreadConfig.defaults(),
                true);
    }

    /** Everything off but the deadline and the spread: one attempt, whatever the state of its host. */
    public static CallerConfig unguarded() {
        return new CallerConfig(
                Duration.ofSeconds(1),
                Optional.empty(),
                RetryConfig.none(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                SpreadConfig.defaults(),
                false);
    }

    public CallerConfig withTimeout(Duration newTimeout) {
        return new CallerConfig(newTimeout, attemptTimeout, retry, bulkhead, breaker, ejection, spread, throttle);
    }

    public CallerConfig withAttemptTimeout(Duration newTimeout) {
        return new CallerConfig(timeout, Optional.of(newTimeout), retry, bulkhead, breaker, ejection, spread, throttle);
    }

    public CallerConfig withRetry(RetryConfig newRetry) {
        return new CallerConfig(timeout, attemptTimeout, newRetry, bulkhead, breaker, ejection, spread, throttle);
    }

    public CallerConfig withBulkhead(BulkheadConfig newBulkhead) {
        return new CallerConfig(
                timeout, attemptTimeout, retry, Optional.of(newBulkhead), breaker, ejection, spread, throttle);
    }

    public CallerConfig withBreaker(BreakerConfig newBreaker) {
        return new CallerConfig(
                timeout, attemptTimeout, retry, bulkhead, Optional.of(newBreaker), ejection, spread, throttle);
    }

    public CallerConfig withEjection(EjectionConfig newEjection) {
        return new CallerConfig(
                timeout, attemptTimeout, retry, bulkhead, breaker, Optional.of(newEjection), spread, throttle);
    }

    public CallerConfig withSpread(SpreadConfig newSpread) {
        return new CallerConfig(timeout, attemptTimeout, retry, bulkhead, breaker, ejection, newSpread, throttle);
    }

    public CallerConfig withThrottle(boolean newThrottle) {
        return new CallerConfig(timeout, attemptTimeout, retry, bulkhead, breaker, ejection, spread, newThrottle);
    }

    /** Near hosts before others. */
    public CallerConfig near(Locality here) {
        return withSpread(spread.near(here));
    }
}
