// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Criticality;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoopAdmissionTest {

    private static final long SEED = 7;
    private static final double ANSWER_NANOS = 30_000;
    private static final double REFUSAL_NANOS = 700;
    /** What the loop gets done in a second, if it does nothing else. */
    private static final double CAPACITY = 1e9 / ANSWER_NANOS;

    private static final long DEADLINE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static AdmissionTerms terms(AdmissionMode mode) {
        return new AdmissionTerms(mode, Duration.ofMillis(50), Duration.ofMillis(400), Duration.ofSeconds(2), 1_000);
    }

    private static SimulatedLoop loop(AdmissionMode mode) {
        return new SimulatedLoop(terms(mode), SEED, ANSWER_NANOS, REFUSAL_NANOS, DEADLINE_NANOS);
    }

    private static Map<Criticality, Double> reads(double times) {
        return Map.of(Criticality.NORMAL, times * CAPACITY);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.05, 1.5, 2, 5, 10})
    void whatIsAnsweredInTimeStaysWhatCanBeAnsweredHoweverMuchMoreComes(double times) {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        loop.run(SECOND, reads(times));
        loop.forget();
        loop.run(5 * SECOND, reads(times));
        SimulatedLoop.Tally tally = loop.tally(Criticality.NORMAL);
        double possible = 5 * CAPACITY * (1 - times * REFUSAL_NANOS / ANSWER_NANOS);
        assertThat(tally.inTime / possible).as("share of what is possible").isGreaterThan(0.95);
        assertThat(tally.waitedNanosMax).isLessThan(Duration.ofMillis(200).toNanos());
    }

    @Test
    void withoutItNearlyNothingIsAnsweredInTime() {
        SimulatedLoop loop = loop(AdmissionMode.OBSERVE);
        loop.run(5 * SECOND, reads(2));
        loop.forget();
        loop.run(SECOND, reads(2));
        SimulatedLoop.Tally tally = loop.tally(Criticality.NORMAL);
        assertThat((double) tally.inTime / tally.answered).isLessThan(0.1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 0.5, 0.8, 0.9})
    void nothingIsRefusedBelowTheLimit(double times) {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        loop.run(5 * SECOND, reads(times));
        SimulatedLoop.Tally tally = loop.tally(Criticality.NORMAL);
        assertThat(tally.answered).isEqualTo(tally.offered);
    }

    @Test
    void leasesAreLastListingsFirst() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        Map<Criticality, Double> mixed = Map.of(
                Criticality.CRITICAL, 0.2 * CAPACITY,
                Criticality.NORMAL, 0.5 * CAPACITY,
                Criticality.SHEDDABLE, 2 * CAPACITY);
        loop.run(SECOND, mixed);
        loop.forget();
        loop.run(5 * SECOND, mixed);
        assertThat(share(loop, Criticality.CRITICAL)).isEqualTo(1);
        assertThat(share(loop, Criticality.NORMAL)).isGreaterThan(0.99);
        assertThat(share(loop, Criticality.SHEDDABLE)).isBetween(0.05, 0.2);
    }

    @Test
    void noLeaseIsRefusedWhileLoadJumps() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        loop.run(SECOND, Map.of(Criticality.CRITICAL, 0.1 * CAPACITY, Criticality.NORMAL, 0.5 * CAPACITY));
        loop.run(5 * SECOND, Map.of(Criticality.CRITICAL, 0.1 * CAPACITY, Criticality.NORMAL, 20 * CAPACITY));
        assertThat(share(loop, Criticality.CRITICAL)).isEqualTo(1);
        assertThat(loop.tally(Criticality.CRITICAL).inTime).isEqualTo(loop.tally(Criticality.CRITICAL).offered);
    }

    /** As when many services register at once with a node that has just started. */
    @Test
    void leasesThatComeAtOnceMayWaitLongerThanOthers() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        loop.run(SECOND, Map.of(Criticality.CRITICAL, 1.2 * CAPACITY));
        assertThat(share(loop, Criticality.CRITICAL)).isEqualTo(1);
        assertThat(loop.tally(Criticality.CRITICAL).waitedNanosMax)
                .isGreaterThan(Duration.ofMillis(100).toNanos());
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.5, 3, 10})
    void ofMoreLeasesThanCanBeKeptAsManyAreKeptAsCanBe(double times) {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        Map<Criticality, Double> leases =
                Map.of(Criticality.CRITICAL, times * CAPACITY, Criticality.NORMAL, 0.2 * CAPACITY);
        loop.run(3 * SECOND, leases);
        loop.forget();
        loop.run(5 * SECOND, leases);
        SimulatedLoop.Tally tally = loop.tally(Criticality.CRITICAL);
        double possible = 5 * CAPACITY * (1 - times * REFUSAL_NANOS / ANSWER_NANOS);
        assertThat(tally.inTime / possible).as("share of what is possible").isGreaterThan(0.9);
        assertThat(tally.waitedNanosMax).isLessThan(Duration.ofMillis(1_500).toNanos());
    }

    @Test
    void allIsLetInAgainAtOnceWhenTheLoadIsOver() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        loop.run(5 * SECOND, reads(10));
        assertThat(loop.admission().isShedding()).isTrue();
        loop.run(SECOND / 5, reads(0.5));
        loop.forget();
        loop.run(SECOND, reads(0.5));
        assertThat(share(loop, Criticality.NORMAL)).isEqualTo(1);
        assertThat(loop.admission().isShedding()).isFalse();
    }

    @Test
    void aPauseOfTheProcessRefusesNothing() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        for (int i = 0; i < 10; i++) {
            loop.run(SECOND, reads(0.4));
            loop.pause(Duration.ofMillis(80).toNanos());
        }
        assertThat(share(loop, Criticality.NORMAL)).isEqualTo(1);
    }

    @Test
    void everyConnectionGetsItsShare() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        loop.run(10 * SECOND, reads(5));
        int first = loop.answeredOf(0);
        for (int i = 1; i < SimulatedLoop.CONNECTIONS; i++) {
            assertThat((double) loop.answeredOf(i) / first)
                    .as("connection %d", i)
                    .isBetween(0.9, 1.1);
        }
    }

    @Test
    void whatSaysThatItIsSheddableGoesBeforeOthersOfItsKind() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        assertThat(loop.admission().holds(Criticality.NORMAL, Criticality.SHEDDABLE))
                .isTrue();
        loop.run(3 * SECOND, Map.of(Criticality.NORMAL, 0.9 * CAPACITY, Criticality.SHEDDABLE, 5 * CAPACITY));
        int held = 0;
        for (int i = 0; i < 1_000; i++) {
            held += loop.admission().holds(Criticality.NORMAL, Criticality.SHEDDABLE) ? 1 : 0;
        }
        assertThat(held).isLessThan(100);
        assertThat(loop.admission().holds(Criticality.SHEDDABLE, Criticality.SHEDDABLE))
                .isTrue();
        assertThat(loop.admission().holds(Criticality.NORMAL, Criticality.CRITICAL))
                .isTrue();
    }

    @Test
    void excessTellsHowManyTimesTooMuchComes() {
        SimulatedLoop loop = loop(AdmissionMode.ENFORCE);
        loop.run(5 * SECOND, reads(8));
        assertThat(loop.admission().excess()).isBetween(6.0, 11.0);
    }

    private static double share(SimulatedLoop loop, Criticality criticality) {
        SimulatedLoop.Tally tally = loop.tally(criticality);
        return (double) tally.answered / tally.offered;
    }
}
