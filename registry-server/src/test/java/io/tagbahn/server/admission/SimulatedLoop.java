// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import io.tagbahn.model.Criticality;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** An event loop in virtual time: it polls its connections, and serves or refuses what lies there, one call at a time. */
final class SimulatedLoop {

    static final int CONNECTIONS = 16;
    private static final long READ_NANOS = 18_000;

    /** A call that lies unread. */
    private record Call(Criticality criticality, long arrivedNanos) {}

    /** What became of the calls of one class. */
    static final class Tally {
        int offered;
        int answered;
        int inTime;
        long waitedNanosMax;
    }

    private final LoopAdmission admission;
    private final boolean enforced;
    private final RandomGenerator random;
    private final double answerNanos;
    private final double refusalNanos;
    private final long deadlineNanos;
    private final List<Queue<Call>> connections = new ArrayList<>();
    private final int[] answeredOf = new int[CONNECTIONS];
    private final Map<Criticality, Tally> tallies = new EnumMap<>(Criticality.class);
    private final Map<Criticality, double[]> nextNanos = new EnumMap<>(Criticality.class);
    private Map<Criticality, Double> perSecond = Map.of();
    private long nowNanos;
    private long polledBeforeNanos;
    private long idleNanos;

    SimulatedLoop(AdmissionTerms terms, long seed, double answerNanos, double refusalNanos, long deadlineNanos) {
        this.random = new SplittableRandom(seed);
        this.admission = new LoopAdmission(terms, () -> idleNanos, new SplittableRandom(seed + 1));
        this.enforced = terms.mode() == AdmissionMode.ENFORCE;
        this.answerNanos = answerNanos;
        this.refusalNanos = refusalNanos;
        this.deadlineNanos = deadlineNanos;
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(new ArrayDeque<>());
        }
        forget();
    }

    /** Starts to count anew. */
    void forget() {
        for (Criticality each : Criticality.values()) {
            tallies.put(each, new Tally());
        }
    }

    Tally tally(Criticality criticality) {
        return Objects.requireNonNull(tallies.get(criticality));
    }

    LoopAdmission admission() {
        return admission;
    }

    int answeredOf(int connection) {
        return answeredOf[connection];
    }

    /** Does nothing for a while, as in a collection of garbage. */
    void pause(long nanos) {
        arriveUntil(nowNanos + nanos);
        nowNanos += nanos;
    }

    /** Runs under a load of so many calls a second of each class, which come at random times. */
    void run(long lengthNanos, Map<Criticality, Double> rates) {
        if (!rates.equals(perSecond)) {
            perSecond = rates;
            nextNanos.clear();
            rates.forEach((criticality, rate) -> nextNanos.put(criticality, new double[] {nowNanos + gap(rate)}));
        }
        long endNanos = nowNanos + lengthNanos;
        while (nowNanos < endNanos) {
            long polledNanos = nowNanos;
            arriveUntil(nowNanos);
            boolean slept = connections.stream().allMatch(Queue::isEmpty);
            if (slept) {
                long next = nextArrival(endNanos);
                idleNanos += next - nowNanos;
                nowNanos = next;
                polledNanos = next;
                arriveUntil(nowNanos);
            }
            serve(slept ? nowNanos : polledBeforeNanos, polledNanos);
            polledBeforeNanos = polledNanos;
        }
    }

    private double gap(double rate) {
        return rate <= 0 ? 1e18 : -Math.log(1 - random.nextDouble()) / rate * 1e9;
    }

    private long nextArrival(long endNanos) {
        double next = endNanos;
        for (double[] each : nextNanos.values()) {
            next = Math.min(next, each[0]);
        }
        return (long) next + 1;
    }

    private void arriveUntil(long untilNanos) {
        perSecond.forEach((criticality, rate) -> {
            double[] next = Objects.requireNonNull(nextNanos.get(criticality));
            while (next[0] <= untilNanos) {
                connections.get(random.nextInt(CONNECTIONS)).add(new Call(criticality, (long) next[0]));
                next[0] += gap(rate);
            }
        });
    }

    /** Bytes that come while others are served wait for the next poll. */
    private void serve(long unreadSinceNanos, long polledNanos) {
        for (int i = 0; i < CONNECTIONS; i++) {
            Queue<Call> calls = connections.get(i);
            if (calls.isEmpty()) {
                continue;
            }
            nowNanos += READ_NANOS;
            while (!calls.isEmpty() && calls.element().arrivedNanos() <= polledNanos) {
                begin(calls.remove(), i, unreadSinceNanos);
            }
        }
    }

    private void begin(Call call, int connection, long unreadSinceNanos) {
        Tally tally = tally(call.criticality());
        tally.offered++;
        Decision decision = admission.decide(call.criticality(), nowNanos - unreadSinceNanos, nowNanos);
        if (enforced && decision != Decision.ADMITTED) {
            nowNanos += (long) refusalNanos;
            return;
        }
        long waited = nowNanos - call.arrivedNanos();
        nowNanos += (long) answerNanos;
        tally.answered++;
        answeredOf[connection]++;
        tally.waitedNanosMax = Math.max(tally.waitedNanosMax, waited);
        if (waited + answerNanos <= deadlineNanos) {
            tally.inTime++;
        }
    }
}
