// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The hosts that take calls, as they are until they change: immutable but for the turns, so that calls read it without a lock.
 *
 * @param known whether the registry has said anything yet
 * @param tiers by distance, nearest first, each with at least one host
 * @param all of them together
 */
record HostSet(boolean known, List<Tier> tiers, Tier all) {

    /** Distances there are. */
    static final int TIERS = 4;

    static final HostSet UNKNOWN = new HostSet(false, List.of(), new Tier(new TrackedHost[0], new AtomicLong()));

    HostSet {
        tiers = List.copyOf(tiers);
    }

    /** Hosts that are equally near. */
    static final class Tier {
        private final TrackedHost[] hosts;
        /** The turn of the host that got the last call; goes on when the hosts change. */
        private final AtomicLong turn;

        Tier(TrackedHost[] hosts, AtomicLong turn) {
            this.hosts = hosts.clone();
            this.turn = turn;
        }

        int size() {
            return hosts.length;
        }

        TrackedHost host(int place) {
            return hosts[place];
        }

        AtomicLong turn() {
            return turn;
        }
    }
}
