// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import io.tagbahn.model.Criticality;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The admission of calls to one thread that serves them: as many as it gets done, by criticality.
 *
 * <p>Time is cut into windows. While calls wait longer than the target through several windows, the thread is overloaded:
 * from then on, the rate at which it could serve calls lately is what is let in, a little more while they wait shorter
 * than the target and less while they wait longer. Critical calls take their part of that rate first, then normal ones,
 * and sheddable ones what is left, with a shorter target; of critical ones all are let in while calls wait no longer than
 * those can bear. Within a class, chance decides, so that no connection is preferred. Besides, a call that has waited for
 * too long is refused whatever the rate: that bounds the queue in time when load jumps, before the rate is known. A pause
 * of the whole process makes calls wait once, and refuses none on that account alone.
 *
 * <p>Belongs to one thread.
 */
public final class LoopAdmission {

    static final long WINDOW_NANOS = 20_000_000;

    /** Windows one after the other in which calls wait too long, before any is shed. */
    private static final int WINDOWS_TO_BEGIN = 5;

    /** Of the thread's time; one that has more to itself is not overloaded, however long some calls wait. */
    private static final double BUSY_SHARE = 0.9;

    private static final double TRIM_MIN = 0.5;
    private static final double TRIM_MAX = 1.3;
    private static final double TRIM_GAIN = 0.5;

    /** What is left in a window of what was believed to be possible, where less is served. */
    private static final double POSSIBLE_KEPT = 0.99;

    /** So few calls of a class are always let in that their cost stays known. */
    private static final double SHARE_MIN = 0.005;

    private final long targetNanos;
    private final LongSupplier idleNanos;
    private final RandomGenerator random;

    private final Map<Criticality, Load> loads = new EnumMap<>(Criticality.class);
    /** What matters most comes first. */
    private final List<Load> inOrder = new ArrayList<>();

    private boolean begun;
    private long windowNanos;
    private long idleBefore;
    private long waitedNanos;
    private int calls;
    private int admitted;
    private int windowsOver;
    private boolean shedding;
    private double servedPerNano;
    /** What could be served lately: a thread that is let little in is busy with little. */
    private double possiblePerNano;

    private double excess = 1;

    /** The calls of one class. */
    private static final class Load {
        private final long delayNanosMax;
        /** While calls wait no longer than that, none of this class is shed. */
        private final long delayNanosBorne;

        private final long targetNanos;
        private int offered;
        private double perNano;
        private double share = 1;

        Load(AdmissionTerms terms, Criticality criticality) {
            this.delayNanosMax = terms.delayNanosMax(criticality);
            this.delayNanosBorne = terms.delayNanosBorne(criticality);
            this.targetNanos = terms.delayNanosTarget(criticality);
        }

        /** What part of what was served is let in, so that calls come to wait as long as the target. */
        double trim(long delayNanos) {
            double trim = 1 + TRIM_GAIN * (targetNanos - delayNanos) / targetNanos;
            return Math.max(TRIM_MIN, Math.min(TRIM_MAX, trim));
        }
    }

    /** @param idleNanos how long the thread has had nothing to do, in all */
    public LoopAdmission(AdmissionTerms terms, LongSupplier idleNanos, RandomGenerator random) {
        this.targetNanos = terms.delayTarget().toNanos();
        this.idleNanos = idleNanos;
        this.random = random;
        for (Criticality each : Criticality.values()) {
            Load load = new Load(terms, each);
            loads.put(each, load);
            inOrder.add(0, load);
        }
    }

    /**
     * Decides on the next call.
     *
     * @param waited how long it has waited at most, in nanoseconds
     */
    public Decision decide(Criticality criticality, long waited, long nowNanos) {
        if (!begun) {
            begun = true;
            windowNanos = nowNanos;
            idleBefore = idleNanos.getAsLong();
        } else if (nowNanos - windowNanos >= WINDOW_NANOS) {
            closeWindow(nowNanos);
        }
        Load of = load(criticality);
        of.offered++;
        calls++;
        waitedNanos += waited;
        if (waited > of.delayNanosMax) {
            return Decision.LATE;
        }
        if (!passes(of.share)) {
            return Decision.SHED;
        }
        admitted++;
        return Decision.ADMITTED;
    }

    /** Whether a call that was admitted and turns out to matter less than others of its kind may go on. */
    public boolean holds(Criticality usual, Criticality told) {
        double usually = load(usual).share;
        double now = load(told).share;
        return told.compareTo(usual) >= 0 || now >= usually || passes(now / usually);
    }

    private Load load(Criticality criticality) {
        return Objects.requireNonNull(loads.get(criticality));
    }

    private boolean passes(double part) {
        return part >= 1 || random.nextDouble() < part;
    }

    /** Whether calls are being shed. */
    public boolean isShedding() {
        return shedding;
    }

    /** What came in proportion to what is let in: 1 where all is. */
    public double excess() {
        return excess;
    }

    private void closeWindow(long nowNanos) {
        long lengthNanos = nowNanos - windowNanos;
        long idle = idleNanos.getAsLong();
        long busyNanos = Math.max(1, lengthNanos - (idle - idleBefore));
        long delayNanos = calls == 0 ? 0 : waitedNanos / calls;
        // A long window says more than a short one: after a quiet second nothing is left of what was before.
        double old = Math.pow(0.5, (double) lengthNanos / WINDOW_NANOS);
        for (Load load : inOrder) {
            load.perNano = load.perNano * old + (double) load.offered / lengthNanos * (1 - old);
            load.offered = 0;
        }
        if (admitted > 0) {
            double served = (double) admitted / busyNanos;
            servedPerNano = servedPerNano == 0 ? served : servedPerNano * old + served * (1 - old);
        }
        boolean busy = busyNanos > BUSY_SHARE * lengthNanos;
        windowsOver = busy && delayNanos > targetNanos ? windowsOver + 1 : 0;
        if (!shedding || busy) {
            // Of a thread that has little to do, it says little what it gets done in a moment.
            double kept = shedding ? Math.pow(POSSIBLE_KEPT, (double) lengthNanos / WINDOW_NANOS) : 0;
            possiblePerNano = Math.max(servedPerNano, possiblePerNano * kept);
        }
        shedding |= windowsOver >= WINDOWS_TO_BEGIN;
        if (shedding) {
            shareOut(delayNanos);
        }
        windowNanos = nowNanos;
        idleBefore = idle;
        waitedNanos = 0;
        calls = 0;
        admitted = 0;
    }

    private void shareOut(long delayNanos) {
        double before = 0;
        double let = 0;
        for (Load load : inOrder) {
            double left = Math.max(0, possiblePerNano * load.trim(delayNanos) - before);
            boolean all = delayNanos <= load.delayNanosBorne || load.perNano <= left;
            load.share = all ? 1 : Math.max(SHARE_MIN, left / load.perNano);
            let += load.share * load.perNano;
            before += load.perNano;
        }
        excess = let == 0 ? 1 : before / let;
        shedding = let < before || windowsOver > 0;
    }
}
