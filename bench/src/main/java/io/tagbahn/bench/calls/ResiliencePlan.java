// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import java.time.Duration;
import java.util.List;

/**
 * What is to be measured of callers of backends that leak.
 *
 * @param policies of the callers, one after another
 * @param duration of the load of each
 * @param work of a backend for a request, two at a time
 * @param memoryBytes of a backend
 * @param retainedBytes by it for each request
 * @param healthInterval of the questions for its health, of which three without an answer end it
 * @param timeout of a call
 * @param attemptTimeout of one attempt, for callers that have a second one or a breaker
 * @param breakerOpenFor how long a breaker leaves a host alone
 */
public record ResiliencePlan(
        List<Policy> policies,
        int backends,
        double ratePerSecond,
        Duration duration,
        Duration work,
        long memoryBytes,
        int retainedBytes,
        Duration healthInterval,
        Duration timeout,
        Duration attemptTimeout,
        Duration breakerOpenFor) {

    public ResiliencePlan {
        policies = List.copyOf(policies);
        if (backends < 1 || backends > 20) {
            throw new IllegalArgumentException("backends " + backends + " is not within 1..20");
        }
    }

    /** A while in which each backend is killed several times. */
    public static ResiliencePlan full(List<Policy> policies, int backends, double ratePerSecond, Duration duration) {
        return new ResiliencePlan(
                policies,
                backends,
                ratePerSecond,
                duration,
                Duration.ofMillis(50),
                64L << 20,
                128 << 10,
                Duration.ofMillis(1_200),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2));
    }

    /** The same faster: less memory, shorter times. */
    public static ResiliencePlan quick(List<Policy> policies, int backends, double ratePerSecond, Duration duration) {
        return new ResiliencePlan(
                policies,
                backends,
                ratePerSecond,
                duration,
                Duration.ofMillis(50),
                16L << 20,
                128 << 10,
                Duration.ofMillis(350),
                Duration.ofMillis(1_000),
                Duration.ofMillis(350),
                Duration.ofMillis(500));
    }
}
