// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.time.Duration;

/**
 * When so many leases end at once that none is ended for a while.
 *
 * @param share of all leases, 0..1; more than this within a window is too many. At 1, nothing is ever held
 * @param least fewer than this are never too many
 * @param window how long a time counts as at once
 * @param hold how long nothing is ended at most
 */
public record ExpiryGuardTerms(double share, int least, Duration window, Duration hold) {

    public ExpiryGuardTerms {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share " + share + " is not within 0..1");
        }
        if (least < 1) {
            throw new IllegalArgumentException("least " + least + " < 1");
        }
        if (window.isNegative() || window.isZero() || hold.isNegative()) {
            throw new IllegalArgumentException("window " + window + ", hold " + hold);
        }
    }

    /** 30 % and 20 leases within one interval of heartbeats; for two leases at most. */
    public static ExpiryGuardTerms of(LeaseTerms leases) {
        return new ExpiryGuardTerms(
                0.3,
                20,
                ExpiryGuard.windowOf(leases.leaseDefault()),
                leases.leaseDefault().multipliedBy(2));
    }

    /** Every lease ends at its end. */
    public static ExpiryGuardTerms off() {
        return new ExpiryGuardTerms(1, Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ZERO);
    }
}
