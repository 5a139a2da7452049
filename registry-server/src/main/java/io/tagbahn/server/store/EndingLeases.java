// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The leases of a node, and those among them that are held past their end because too many ended at once. */
final class EndingLeases {

    private final Leases leases = new Leases();
    private final Set<StoredInstance> held = new LinkedHashSet<>();
    private final ExpiryGuard guard;
    private volatile boolean holding;

    EndingLeases(ExpiryGuardTerms terms) {
        this.guard = new ExpiryGuard(terms);
    }

    /** Whether leases are held past their end; for any thread. */
    boolean isHolding() {
        return holding;
    }

    void add(StoredInstance instance, long expiresNanos) {
        leases.add(instance, expiresNanos);
    }

    void renew(StoredInstance instance, long expiresNanos, long nowNanos) {
        if (held.remove(instance)) {
            leases.add(instance, expiresNanos);
            guard.renewed(nowNanos);
        } else {
            leases.renew(instance, expiresNanos);
        }
    }

    void remove(StoredInstance instance) {
        if (!held.remove(instance)) {
            leases.remove(instance);
        }
    }

    /**
     * Instances whose leases are to be ended now; they keep their leases here until they are
     * {@linkplain #remove removed}.
     */
    List<StoredInstance> due(int most, long nowNanos) {
        int ended = 0;
        for (int polled = 0; polled < most; polled++) {
            Optional<StoredInstance> next = leases.poll(nowNanos);
            if (next.isEmpty()) {
                break;
            }
            held.add(next.get());
            if (!next.get().isEnding()) {
                ended++; // the others were counted when their end was told
            }
        }
        boolean hold = guard.holds(ended, leases.size() + held.size(), nowNanos);
        holding = hold;
        if (hold) {
            return List.of();
        }
        List<StoredInstance> due = new ArrayList<>(Math.min(most, held.size()));
        for (Iterator<StoredInstance> all = held.iterator(); all.hasNext() && due.size() < most; ) {
            due.add(all.next());
        }
        return due;
    }
}
