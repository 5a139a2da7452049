// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.rpc.CallGate;
import io.tagbahn.rpc.LoopTimes;
import io.tagbahn.rpc.ReadyAnswer;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.server.admission.AdmissionMode;
import io.tagbahn.server.admission.AdmissionTerms;
import io.tagbahn.server.admission.Decision;
import io.tagbahn.server.admission.LoopAdmission;
import io.tagbahn.server.admission.WaitingLimit;
import io.tagbahn.wire.WireContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The public port's decision on each call: whether it is begun, and what those that are not are told.
 *
 * <p>Decided twice: by the name of the method, before anything else is read, and by what the call says of itself once
 * that is known.
 */
public final class FrontDoor implements CallGate {

    /** Callers are told to wait in proportion to how many times too much comes. */
    private static final double WAIT_MILLIS = 100;

    /** With more than so many times too much here, other nodes will have too much as well. */
    private static final double EXCESS_MAX = 2;

    private static final Duration QUOTA_WAIT = Duration.ofMillis(500);

    private final AdmissionTerms terms;
    private final BooleanSupplier othersHaveRoom;
    private final Predicate<String> hasQuota;
    private final LongSupplier ticker;
    private final Supplier<RandomGenerator> randoms;
    private final WaitingLimit waiting;
    private final AdmissionCounts counts = new AdmissionCounts();
    /** One for each loop, by its thread, on which calls are begun too. */
    private final Map<Thread, LoopDoor> doors = new ConcurrentHashMap<>();

    private volatile long shedNanos;
    private volatile boolean hasShed;

    /**
     * Makes one.
     *
     * @param othersHaveRoom whether there are other nodes
     * @param hasQuota whether a caller, by its name or else its address, may make another call; that is then used up
     * @param ticker the one by which calls arrive
     * @param randoms makes a source of chance for each loop
     */
    public FrontDoor(
            AdmissionTerms terms,
            BooleanSupplier othersHaveRoom,
            Predicate<String> hasQuota,
            LongSupplier ticker,
            Supplier<RandomGenerator> randoms) {
        this.hasQuota = hasQuota;
        this.terms = terms;
        this.othersHaveRoom = othersHaveRoom;
        this.ticker = ticker;
        this.waiting = new WaitingLimit(terms.waitingMax());
        this.randoms = randoms;
    }

    @Override
    public Door door(LoopTimes times) {
        if (terms.mode() == AdmissionMode.OFF) {
            return Door.OPEN;
        }
        LoopDoor door = new LoopDoor(new LoopAdmission(terms, times::idleNanos, randoms.get()));
        doors.put(Thread.currentThread(), door);
        return door;
    }

    public AdmissionCounts counts() {
        return counts;
    }

    /** Calls that may wait for other nodes at present. */
    public int waitingLimit() {
        return waiting.limit();
    }

    /** Whether calls were refused for want of time within the last second. */
    public boolean isBusy() {
        return hasShed && ticker.getAsLong() - shedNanos < Duration.ofSeconds(1).toNanos();
    }

    /**
     * The context of a call as it stands when the call is begun: the caller's, its deadline less the time that the call
     * has already spent here.
     *
     * @throws Overloaded where the call says that it may be refused before others, and others are being refused; and
     *     where its caller has used up what it may use
     */
    CallContext admitted(io.tagbahn.thrift.@Nullable CallContext wire, RpcCall call) {
        CallContext context = WireContext.fromWire(wire);
        LoopDoor door = doors.get(Thread.currentThread());
        if (door != null && context.criticality() == Criticality.SHEDDABLE) {
            door.checkTold();
        }
        if (door != null && door.begun != Criticality.CRITICAL) {
            checkQuota(context, call);
        }
        if (context.deadline().isEmpty()) {
            return context;
        }
        Duration waited = Duration.ofNanos(ticker.getAsLong() - call.arrivedNanos());
        Duration remaining = context.deadline().get().minus(waited);
        if (remaining.isNegative() || remaining.isZero()) {
            counts.count(Decision.EXPIRED, context.criticality());
            return context.withDeadline(Duration.ZERO);
        }
        return context.withDeadline(remaining);
    }

    private void checkQuota(CallContext context, RpcCall call) {
        String caller = context.caller()
                .orElseGet(() -> call.peer() instanceof InetSocketAddress address
                        ? address.getAddress().getHostAddress()
                        : call.peer().toString());
        if (hasQuota.test(caller)) {
            return;
        }
        counts.count(Decision.OVER_QUOTA, context.criticality());
        if (terms.mode() == AdmissionMode.ENFORCE) {
            throw new Overloaded(
                    "'" + caller + "' makes more calls than it may", Signal.RETRY_AFTER, Optional.of(QUOTA_WAIT));
        }
    }

    /** The door of one loop. */
    private final class LoopDoor implements Door {

        private final LoopAdmission loop;
        private Criticality begun = Criticality.NORMAL;

        LoopDoor(LoopAdmission loop) {
            this.loop = loop;
        }

        @Override
        public Optional<ReadyAnswer> refusal(String method, long waitedNanos, long nowNanos) {
            Optional<Refusals> refusals = Refusals.of(method);
            if (refusals.isEmpty()) {
                return Optional.empty();
            }
            Refusals of = refusals.get();
            begun = of.criticality();
            Decision decision = waiting.hasRoom(begun) ? loop.decide(begun, waitedNanos, nowNanos) : Decision.CROWDED;
            counts.count(decision, begun);
            if (decision == Decision.ADMITTED) {
                return Optional.empty();
            }
            noteShed(nowNanos);
            return terms.mode() == AdmissionMode.OBSERVE ? Optional.empty() : told(of);
        }

        private Optional<ReadyAnswer> told(Refusals of) {
            return isBetterElsewhere() ? of.elsewhere() : of.later(WAIT_MILLIS * loop.excess());
        }

        private boolean isBetterElsewhere() {
            return loop.excess() <= EXCESS_MAX && othersHaveRoom.getAsBoolean();
        }

        /** A second look at the call that was begun just now, as one that says that it is sheddable. */
        void checkTold() {
            if (loop.holds(begun, Criticality.SHEDDABLE)) {
                return;
            }
            counts.count(Decision.SHED, Criticality.SHEDDABLE);
            if (terms.mode() == AdmissionMode.ENFORCE) {
                boolean elsewhere = isBetterElsewhere();
                throw new Overloaded(
                        "more calls come than this node can answer; nothing was done",
                        elsewhere ? Signal.TRY_ELSEWHERE : Signal.RETRY_AFTER,
                        elsewhere
                                ? Optional.empty()
                                : Optional.of(Duration.ofMillis(Math.round(WAIT_MILLIS * loop.excess()))));
            }
        }

        @Override
        public void waits(String method) {
            if (Refusals.of(method).filter(Refusals::isQuick).isPresent()) {
                waiting.begin();
            }
        }

        @Override
        public void answered(String method, long tookNanos) {
            if (Refusals.of(method).filter(Refusals::isQuick).isPresent()) {
                waiting.end(tookNanos, ticker.getAsLong());
            }
        }
    }

    private void noteShed(long nowNanos) {
        // Many times a millisecond when it matters: written once in a while only.
        if (!hasShed || nowNanos - shedNanos > 1_000_000) {
            shedNanos = nowNanos;
            hasShed = true;
        }
    }
}
