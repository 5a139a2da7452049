// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.client.resilience.SlidingCounts;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What keeps calls from a host that fails: closed, it counts; open, it lets nothing through for a while; half open, it lets
 * a few probes through, whose outcomes decide.
 *
 * <p>Whoever is let through holds a permit and gives it back by one of {@link #succeeded}, {@link #failed} and
 * {@link #released}. The place of a probe that was not given back is taken by another after {@code probeTimeout}, and
 * permits from before the last change of state are void: whatever callers do, it never stays half open.
 */
final class CircuitBreaker {

    /** What it does with calls. */
    enum State {
        CLOSED,
        OPEN,
        HALF_OPEN
    }

    /** Is told of changes of state, under the breaker's lock. */
    interface Listener {
        void changed(State from, State to);
    }

    /** No permit: the call may not be made. */
    static final long REFUSED = -1;

    /** Where nobody else is left, it is open for this part of its time. */
    private static final int EARLY_PART = 10;

    private static final int CALLS = 0;
    private static final int FAILURES = 1;
    private static final int PLACE_BITS = 5;

    private final BreakerConfig config;
    private final LongSupplier nanos;
    private final Listener listener;
    private final long openForNanos;
    private final long probeTimeoutNanos;

    private volatile State state = State.CLOSED;
    private volatile long openedAtNanos;
    /** Counts changes of state; changed under the lock, before the state. */
    private final AtomicLong epoch = new AtomicLong();

    /** While half open: whether another probe may go, until a place lapses at that time. */
    private volatile boolean placeFree;

    private volatile long nextLapseNanos;

    // Guarded by this.
    private final long[] grantedAtNanos;
    private final boolean[] granted;
    private SlidingCounts counts;
    private int failuresInRow;
    private int probesSucceeded;

    CircuitBreaker(BreakerConfig config, LongSupplier nanos, Listener listener) {
        this.config = config;
        this.nanos = nanos;
        this.listener = listener;
        this.openForNanos = config.openFor().toNanos();
        this.probeTimeoutNanos = config.probeTimeout().toNanos();
        this.grantedAtNanos = new long[config.probes()];
        this.granted = new boolean[config.probes()];
        this.counts = new SlidingCounts(2, config.window(), nanos.getAsLong());
    }

    State state() {
        return state;
    }

    /** Whether a call would probably be let through; takes nothing and no lock. */
    boolean admits(long nowNanos) {
        return switch (state) {
            case CLOSED -> true;
            case OPEN -> nowNanos - openedAtNanos >= openForNanos;
            case HALF_OPEN -> placeFree || nowNanos - nextLapseNanos >= 0;
        };
    }

    /** A permit, or {@link #REFUSED}. */
    long acquire() {
        long epochNow = epoch.get(); // before the state: if that changes in between, the permit is void
        if (state == State.CLOSED) {
            return epochNow << PLACE_BITS;
        }
        return acquire(openForNanos);
    }

    /** The same for a call that no other host takes: a breaker that has been open for a while begins to probe early. */
    long acquireEarly() {
        return acquire(openForNanos / EARLY_PART);
    }

    /** @param openNanos how long it stays open at least */
    private synchronized long acquire(long openNanos) {
        long now = nanos.getAsLong();
        if (state == State.OPEN && now - openedAtNanos >= openNanos) {
            become(State.HALF_OPEN);
        }
        return switch (state) {
            case CLOSED -> permit(0);
            case OPEN -> REFUSED;
            case HALF_OPEN -> probe(now);
        };
    }

    private long probe(long now) {
        for (int place = 0; place < granted.length; place++) {
            if (!granted[place] || now - grantedAtNanos[place] >= probeTimeoutNanos) {
                granted[place] = true;
                grantedAtNanos[place] = now;
                notePlaces();
                return permit(place + 1);
            }
        }
        return REFUSED;
    }

    /** The host has answered. */
    synchronized void succeeded(long permit) {
        if (isVoid(permit)) {
            return;
        }
        if (state == State.HALF_OPEN) {
            free(permit);
            if (++probesSucceeded >= config.probes()) {
                become(State.CLOSED);
            }
            return;
        }
        failuresInRow = 0;
        counts.add(CALLS, nanos.getAsLong());
    }

    /** The host has failed. */
    synchronized void failed(long permit) {
        if (isVoid(permit)) {
            return;
        }
        if (state == State.HALF_OPEN) {
            become(State.OPEN);
            return;
        }
        long now = nanos.getAsLong();
        counts.add(CALLS, now);
        counts.add(FAILURES, now);
        failuresInRow++;
        long calls = counts.sum(CALLS, now);
        if (failuresInRow >= config.failuresInRow()
                || (calls >= config.callsMin() && counts.sum(FAILURES, now) >= calls * config.failureShare())) {
            become(State.OPEN);
        }
    }

    /** The call says nothing of the host: it was cancelled, or not sent. */
    synchronized void released(long permit) {
        if (!isVoid(permit) && state == State.HALF_OPEN) {
            free(permit);
        }
    }

    private void become(State next) {
        State before = state;
        epoch.incrementAndGet();
        failuresInRow = 0;
        probesSucceeded = 0;
        Arrays.fill(granted, false);
        long now = nanos.getAsLong();
        counts = new SlidingCounts(2, config.window(), now);
        notePlaces();
        openedAtNanos = now;
        state = next;
        listener.changed(before, next);
    }

    private void notePlaces() {
        boolean free = false;
        long lapse = Long.MAX_VALUE;
        long now = nanos.getAsLong();
        for (int place = 0; place < granted.length; place++) {
            free |= !granted[place];
            lapse = Math.min(lapse, grantedAtNanos[place] + probeTimeoutNanos - now);
        }
        nextLapseNanos = now + lapse;
        placeFree = free;
    }

    /** A place that lapsed and was taken by another is that one's; freeing it lets at most one probe more through. */
    private void free(long permit) {
        int place = (int) (permit & ((1 << PLACE_BITS) - 1)) - 1;
        if (place >= 0) {
            granted[place] = false;
            notePlaces();
        }
    }

    private long permit(int place) {
        return epoch.get() << PLACE_BITS | place;
    }

    private boolean isVoid(long permit) {
        return permit >> PLACE_BITS != epoch.get() || state == State.OPEN;
    }
}
