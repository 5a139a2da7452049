// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.time.Duration;
import java.util.Optional;

/**
 * How long leases are, and what comes after them.
 *
 * @param leaseDefault where a registration asks for none
 * @param leaseMin what a shorter one is raised to
 * @param leaseMax what a longer one is lowered to; at most 24 days
 * @param tombstone how long the generation of an instance that is gone is remembered
 * @param operatorStatus how long an operator's word is kept once its instance was last seen
 */
public record LeaseTerms(
        Duration leaseDefault, Duration leaseMin, Duration leaseMax, Duration tombstone, Duration operatorStatus) {

    /** A lease is kept as an {@code int} of milliseconds. */
    public static final Duration LEASE_LIMIT = Duration.ofDays(24);

    public LeaseTerms {
        if (leaseMin.toMillis() < 1
                || leaseMax.compareTo(LEASE_LIMIT) > 0
                || leaseMin.compareTo(leaseMax) > 0
                || leaseDefault.compareTo(leaseMin) < 0
                || leaseDefault.compareTo(leaseMax) > 0) {
            throw new IllegalArgumentException("not 1 ms <= leaseMin " + leaseMin + " <= leaseDefault " + leaseDefault
                    + " <= leaseMax " + leaseMax + " <= " + LEASE_LIMIT);
        }
    }

    public static LeaseTerms defaults() {
        return new LeaseTerms(
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Duration.ofHours(24),
                Duration.ofMinutes(10),
                Duration.ofDays(7));
    }

    int clampedMillis(Optional<Duration> asked) {
        Duration lease = asked.orElse(leaseDefault);
        if (lease.compareTo(leaseMin) < 0) {
            lease = leaseMin;
        } else if (lease.compareTo(leaseMax) > 0) {
            lease = leaseMax;
        }
        return (int) lease.toMillis();
    }
}
