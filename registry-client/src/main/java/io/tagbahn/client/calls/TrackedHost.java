// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.client.resilience.PeakEwma;
import io.tagbahn.model.Instance;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A host and what this caller has seen of it; it stays the same object for as long as the host is listed. */
final class TrackedHost {

    private static final Duration LATENCY_DECAY = Duration.ofSeconds(5);
    /** By how much a call moves on the turn of a host of weight 1. */
    private static final double STEP = 1L << 28;
    /** Hosts that start slowly begin with this part of their share. */
    private static final double RAMP_MIN = 0.1;
    /** A host that had no calls for a while gets no more than so many in a row for it. */
    private static final int TURNS_KEPT = 8;

    private final Optional<CircuitBreaker> breaker;
    private final HostRoom room;
    private final TierLatencies latencies;
    private final long slowStartNanos;
    private final AtomicInteger pending = new AtomicInteger();
    /** Where it is in the order of turns; the lower of two is due. */
    private final AtomicLong turn = new AtomicLong();

    private volatile Instance instance;
    private volatile int distance;
    private volatile long rampFromNanos;
    private volatile PeakEwma latency;
    private volatile long restUntilNanos;
    private volatile boolean answered;
    private volatile boolean ramping;

    /** What it did since the hosts were compared; guarded by this. */
    private int calls;

    private int failures;
    private long latencySumNanos;

    /** Of the roster only. */
    private boolean ejected;

    private long ejectedUntilNanos;
    private int ejections;

    TrackedHost(
            Instance instance,
            Optional<CircuitBreaker> breaker,
            TierLatencies latencies,
            int roomMost,
            Duration slowStart,
            long nowNanos) {
        this.instance = instance;
        this.breaker = breaker;
        this.latencies = latencies;
        this.room = new HostRoom(roomMost, nowNanos);
        this.slowStartNanos = slowStart.toNanos();
        this.latency = new PeakEwma(0, nowNanos);
        this.restUntilNanos = nowNanos;
    }

    Instance instance() {
        return instance;
    }

    int distance() {
        return distance;
    }

    int pending() {
        return pending.get();
    }

    HostRoom room() {
        return room;
    }

    /** The registry's newest word on it. */
    void is(Instance now, int nowDistance) {
        instance = now;
        distance = nowDistance;
    }

    /** From now on it gets its share bit by bit. */
    void startSlowly(long nowNanos) {
        rampFromNanos = nowNanos;
        ramping = slowStartNanos > 0;
    }

    /** Whether it is on its way to its full share. */
    boolean isStarting() {
        return ramping;
    }

    /** Its share of the calls, as it is at the moment. */
    double share(long nowNanos) {
        double weight = instance.weight();
        if (!ramping) {
            return weight;
        }
        double ramp = (double) (nowNanos - rampFromNanos) / slowStartNanos;
        if (ramp >= 1) {
            ramping = false;
        }
        return weight * Math.max(RAMP_MIN, Math.min(1, ramp));
    }

    /** How long an answer takes, about; 0 where nothing is known, or what is known is from before it failed. */
    double latencyNanos(long nowNanos) {
        return answered && !isFailing() ? latency.now(nowNanos, LATENCY_DECAY) : 0;
    }

    private boolean isFailing() {
        return breaker.isPresent() && breaker.get().state() != CircuitBreaker.State.CLOSED;
    }

    /** Whether it may be called: it is not at rest, and its breaker would let a call through. */
    boolean isOpen(long nowNanos) {
        return nowNanos - restUntilNanos >= 0
                && (breaker.isEmpty() || breaker.get().admits(nowNanos));
    }

    /** Whether the time is over for which it has asked to be left alone. */
    boolean isRested(long nowNanos) {
        return nowNanos - restUntilNanos >= 0;
    }

    String breakerState() {
        return breaker.map(each -> each.state().name()).orElse(CircuitBreaker.State.CLOSED.name());
    }

    // ------------------------------------------------------------ turns

    /** Its turn, not further behind the others' than some calls. */
    long turn(long othersTurn, long nowNanos) {
        return Math.max(turn.get(), othersTurn - TURNS_KEPT * step(nowNanos));
    }

    /** Comes in at the others' turn. */
    void joinAt(long othersTurn) {
        turn.set(othersTurn);
    }

    /** It has got a call. */
    long takeTurn(long othersTurn, long nowNanos) {
        long step = step(nowNanos);
        long least = othersTurn - TURNS_KEPT * step;
        return turn.updateAndGet(before -> Math.max(before, least) + step) - step;
    }

    private long step(long nowNanos) {
        return (long) (STEP / Math.max(1, share(nowNanos)));
    }

    // ------------------------------------------------------------ calls

    /** A permit for a call, or {@link CircuitBreaker#REFUSED}; one that is got has to be settled. */
    long acquire() {
        return counted(breaker.map(CircuitBreaker::acquire).orElse(0L));
    }

    /** The same where no other host is left. */
    long acquireEarly() {
        return counted(breaker.map(CircuitBreaker::acquireEarly).orElse(0L));
    }

    private long counted(long permit) {
        if (permit != CircuitBreaker.REFUSED) {
            pending.incrementAndGet();
        }
        return permit;
    }

    /**
     * A call is through; to be said once for each permit.
     *
     * @param timedOut whether it took all the time that it had
     */
    void settle(long permit, FailureOrAnswer outcome, long sentNanos, long nowNanos, boolean timedOut) {
        int under = pending.getAndDecrement();
        boolean recovering = isFailing();
        switch (outcome) {
            case ANSWER -> breaker.ifPresent(each -> each.succeeded(permit));
            case HOST_FAILURE -> breaker.ifPresent(each -> each.failed(permit));
            case REJECTION, NOTHING -> breaker.ifPresent(each -> each.released(permit));
        }
        if (outcome == FailureOrAnswer.NOTHING) {
            return;
        }
        synchronized (this) {
            calls++;
            if (outcome == FailureOrAnswer.ANSWER || timedOut) {
                PeakEwma before = recovering || !answered ? new PeakEwma(0, nowNanos) : latency;
                latency = before.with(nowNanos - sentNanos, nowNanos, LATENCY_DECAY);
                answered = true;
            }
            if (recovering && outcome == FailureOrAnswer.ANSWER) {
                room.recovered();
            }
            if (outcome == FailureOrAnswer.ANSWER) {
                latencySumNanos += nowNanos - sentNanos;
                latencies.answered(distance, nowNanos - sentNanos, nowNanos);
                room.answered(under, latencies.fartherNanos(distance, nowNanos), sentNanos, nowNanos);
            } else if (outcome == FailureOrAnswer.HOST_FAILURE) {
                failures++;
            }
            if (outcome == FailureOrAnswer.REJECTION || timedOut) {
                room.refused(under, sentNanos, nowNanos);
            }
        }
    }

    /** What became of a call, as far as it says something of the host. */
    enum FailureOrAnswer {
        ANSWER,
        HOST_FAILURE,
        REJECTION,
        NOTHING
    }

    /** It has asked to be left alone. */
    void rest(Duration duration, long nowNanos) {
        restUntilNanos = nowNanos + duration.toNanos();
    }

    // ------------------------------------------------------------ comparing; by the roster

    /** What it did since this was asked last. */
    synchronized Outliers.Figures takeRecord() {
        int good = calls - failures;
        Outliers.Figures taken =
                new Outliers.Figures(calls, failures, distance, good == 0 ? 0 : (double) latencySumNanos / good);
        calls = 0;
        failures = 0;
        latencySumNanos = 0;
        return taken;
    }

    boolean isEjected() {
        return ejected;
    }

    /** Left out; each time in a row for longer. Tells for how long. */
    Duration eject(Duration once, int timesMax, long nowNanos) {
        ejected = true;
        ejections = Math.min(ejections + 1, timesMax);
        Duration out = once.multipliedBy(ejections);
        ejectedUntilNanos = nowNanos + out.toNanos();
        return out;
    }

    /** Whether it is out and its time is over; then it is in again. */
    boolean returns(long nowNanos) {
        if (!ejected || nowNanos - ejectedUntilNanos < 0) {
            return false;
        }
        ejected = false;
        answered = false; // by what it was left out for, nobody would call it
        return true;
    }

    /** It did well: the next time that it is left out is a little shorter. */
    void forgive() {
        ejections = Math.max(0, ejections - 1);
    }

    HostView view(long nowNanos) {
        return new HostView(
                instance,
                distance,
                pending.get(),
                room.room(),
                Duration.ofNanos((long) latencyNanos(nowNanos)),
                breakerState(),
                ejected);
    }
}
