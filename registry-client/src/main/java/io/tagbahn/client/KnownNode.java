// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.client.resilience.Backoff;
import io.tagbahn.client.resilience.PeakEwma;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * A node that calls may go to, with what is known of its load and health.
 *
 * <p>One that fails is ejected: calls go to others, for a time that doubles with each failure after it. Then a single call
 * probes it. A probe that succeeds brings it back, one that fails ejects it for longer, and one of which nothing is heard
 * gives its slot back after a while.
 */
final class KnownNode {

    /** Latencies are forgotten over about this long, so that a node that was slow once is tried again. */
    private static final Duration LATENCY_DECAY = Duration.ofSeconds(2);

    /** Differences between latencies below this are chance: then the calls pending decide alone. */
    private static final double LATENCY_FLOOR_NANOS = 1e6;

    /** Whether calls should go there. */
    enum Health {
        FINE,
        /** Was ejected, and may be tried by one call. */
        PROBE_DUE,
        /** Ejected, or being probed. */
        EJECTED,
        /** Has said that it is busy. */
        BUSY
    }

    private final RegistryNode node;
    private volatile int distance;
    private final AtomicInteger pending = new AtomicInteger();
    private volatile Optional<PeakEwma> latency = Optional.empty();
    private volatile long pickedAtTurn;
    private volatile boolean retired;

    // Guarded by this.
    private boolean ejected;
    private long ejectedAtNanos;
    private long ejectedUntilNanos;
    private int ejectionsInARow;
    private long backAtNanos;
    private boolean probing;
    private long probeLapsesAtNanos;
    private boolean busy;
    private long busyUntilNanos;

    KnownNode(RegistryNode node, int distance, long turn) {
        this.node = node;
        this.distance = distance;
        this.pickedAtTurn = turn;
    }

    RegistryNode node() {
        return node;
    }

    /** How far away it is, {@link io.tagbahn.model.Locality#distanceTo}. */
    int distance() {
        return distance;
    }

    void place(int newDistance) {
        distance = newDistance;
    }

    int pending() {
        return pending.get();
    }

    long pickedAtTurn() {
        return pickedAtTurn;
    }

    /** What a further call costs there: the time that an answer takes, for each call that is pending and this one. */
    double cost(long nowNanos) {
        double nanos = latency.map(known -> known.now(nowNanos, LATENCY_DECAY)).orElse(0.0);
        return Math.max(nanos, LATENCY_FLOOR_NANOS) * (pending.get() + 1);
    }

    synchronized Health health(long nowNanos) {
        if (ejected) {
            boolean due = nowNanos - ejectedUntilNanos >= 0 && (!probing || nowNanos - probeLapsesAtNanos >= 0);
            return due ? Health.PROBE_DUE : Health.EJECTED;
        }
        busy &= nowNanos - busyUntilNanos < 0;
        return busy ? Health.BUSY : Health.FINE;
    }

    /** Takes the one slot for a probe, where it is due. */
    synchronized boolean tryProbe(long nowNanos, Duration lapsesAfter) {
        if (health(nowNanos) != Health.PROBE_DUE) {
            return false;
        }
        probing = true;
        probeLapsesAtNanos = nowNanos + lapsesAfter.toNanos();
        return true;
    }

    void picked(long turn) {
        pickedAtTurn = turn;
        pending.incrementAndGet();
    }

    void ended() {
        if (pending.decrementAndGet() == 0 && retired) {
            node.close();
        }
    }

    /** No further calls will be made there: closes it once those that are pending have ended. */
    void retire() {
        retired = true;
        if (pending.get() == 0) {
            node.close();
        }
    }

    /** It has answered, whatever the answer. */
    void answered(long begunNanos, long nowNanos) {
        synchronized (this) {
            latency = Optional.of(latency.map(known -> known.with(nowNanos - begunNanos, nowNanos, LATENCY_DECAY))
                    .orElseGet(() -> new PeakEwma(nowNanos - begunNanos, nowNanos)));
        }
        alive(begunNanos, nowNanos);
    }

    /** It is there; how long that took to say says nothing. */
    synchronized void alive(long begunNanos, long nowNanos) {
        // What was sent before the ejection and answered since shows nothing new.
        if (ejected && begunNanos - ejectedAtNanos >= 0) {
            ejected = false;
            probing = false;
            backAtNanos = nowNanos;
        }
    }

    /** Rejects calls, and has to be spared for this long. */
    synchronized void busy(long nowNanos, Duration time) {
        long until = nowNanos + time.toNanos();
        if (!busy || until - busyUntilNanos > 0) {
            busyUntilNanos = until;
        }
        busy = true;
    }

    /**
     * Ejects it, unless that was done after this call had begun.
     *
     * @return whether it was ejected by this
     */
    synchronized boolean eject(long begunNanos, long nowNanos, Backoff times, RandomGenerator random) {
        if (ejected && begunNanos - ejectedAtNanos < 0) {
            return false;
        }
        if (!ejected
                && ejectionsInARow > 0
                && nowNanos - backAtNanos >= times.max().toNanos()) {
            ejectionsInARow = 0; // it has done well for long enough
        }
        long nanos = times.bound(ejectionsInARow++).toNanos();
        ejected = true;
        probing = false;
        ejectedAtNanos = nowNanos;
        // Not all clients come back at the same moment.
        ejectedUntilNanos = nowNanos + nanos - (nanos < 5 ? 0 : random.nextLong(nanos / 5));
        return true;
    }
}
