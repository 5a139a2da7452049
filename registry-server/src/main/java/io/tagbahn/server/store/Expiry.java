// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.List;

/**
 * What a tick came to.
 *
 * @param ended instances whose leases had ended, now gone
 * @param ending those whose leases end shortly unless they are {@linkplain RegistrationStore#prolong prolonged}
 * @param more whether leases that have ended are left for the next tick
 */
public record Expiry(List<Held> ended, List<Held> ending, boolean more) {

    public Expiry {
        ended = List.copyOf(ended);
        ending = List.copyOf(ending);
    }

    /** How many leases have ended. */
    public int expired() {
        return ended.size();
    }
}
