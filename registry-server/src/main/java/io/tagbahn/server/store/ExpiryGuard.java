// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.time.Duration;

/**
 * The judgement that so many leases have ended at once that it is more likely that heartbeats don't get through.
 *
 * <p>Then nothing is ended for a while: until heartbeats have been back for a window, or the longest time has passed.
 * What ends in the window after that ends for real.
 */
final class ExpiryGuard {

    private final ExpiryGuardTerms terms;
    private final long windowNanos;
    private final long holdNanos;

    private boolean holding;
    private long holdEndsNanos;
    private boolean exempt;
    private long exemptEndsNanos;
    private long windowStartNanos;
    private int endedInWindow;
    private int endedInWindowBefore;
    private boolean started;

    ExpiryGuard(ExpiryGuardTerms terms) {
        this.terms = terms;
        this.windowNanos = terms.window().toNanos();
        this.holdNanos = terms.hold().toNanos();
    }

    /**
     * Takes note of leases that have ended and not been taken out yet.
     *
     * @param present all leases, these included
     * @return whether they are to be held
     */
    boolean holds(int ended, int present, long nowNanos) {
        turn(nowNanos);
        endedInWindow += ended;
        if (holding) {
            return true;
        }
        int recent = endedInWindow + endedInWindowBefore;
        // Those that ended before are no longer present.
        long population = (long) present - ended + recent;
        if (ended > 0 && !exempt && recent >= terms.least() && recent > terms.share() * population) {
            holding = true;
            holdEndsNanos = nowNanos + holdNanos;
        }
        return holding;
    }

    private void turn(long nowNanos) {
        if (!started) {
            started = true;
            windowStartNanos = nowNanos;
        }
        if (nowNanos - windowStartNanos >= windowNanos) {
            endedInWindowBefore = nowNanos - windowStartNanos >= 2 * windowNanos ? 0 : endedInWindow;
            endedInWindow = 0;
            windowStartNanos = nowNanos;
        }
        if (exempt && nowNanos - exemptEndsNanos >= 0) {
            exempt = false;
        }
        if (holding && nowNanos - holdEndsNanos >= 0) {
            holding = false;
            exempt = true;
            exemptEndsNanos = nowNanos + windowNanos;
            endedInWindow = 0;
            endedInWindowBefore = 0;
        }
    }

    /** A lease that is held was renewed: heartbeats get through again. */
    void renewed(long nowNanos) {
        if (holding && holdEndsNanos - nowNanos > windowNanos) {
            holdEndsNanos = nowNanos + windowNanos;
        }
    }

    boolean isHolding() {
        return holding;
    }

    static Duration windowOf(Duration lease) {
        return lease.dividedBy(3);
    }
}
