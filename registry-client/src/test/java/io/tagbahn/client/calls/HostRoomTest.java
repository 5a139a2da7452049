// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HostRoomTest {

    private static final double UNKNOWN = Double.POSITIVE_INFINITY;
    private static final long MILLI = 1_000_000;

    private final HostRoom room = new HostRoom(64, 0);
    private long nowNanos;

    private void answered(int pending, long latencyMillis, double fartherNanos) {
        nowNanos += 20 * MILLI;
        room.answered(pending, fartherNanos, nowNanos - latencyMillis * MILLI, nowNanos);
    }

    private void answers(int count, long latencyMillis, double fartherNanos) {
        for (int i = 0; i < count; i++) {
            answered((int) Math.ceil(room.room()), latencyMillis, fartherNanos);
        }
    }

    private void refused(int pending) {
        nowNanos += 20 * MILLI;
        room.refused(pending, nowNanos - MILLI, nowNanos);
    }

    @Test
    void growsByEachAnswerWhileItIsUsedUpToTheBulkhead() {
        answers(10, 5, UNKNOWN);
        assertThat(room.room()).isEqualTo(18);
        answers(100, 5, UNKNOWN);
        assertThat(room.room()).isEqualTo(64);
    }

    @Test
    void doesNotGrowWhereItIsNotUsed() {
        for (int i = 0; i < 100; i++) {
            answered(3, 5, UNKNOWN);
        }
        assertThat(room.room()).isEqualTo(8);
    }

    @Test
    void rejectionShrinksItToLessThanWhatWasPending() {
        refused(6);
        assertThat(room.room()).isEqualTo(3);
        refused(3);
        assertThat(room.room()).isBetween(2.39, 2.41);
    }

    @Test
    void callsSentBeforeTheShrinkingShrinkItNoFurther() {
        nowNanos = 100 * MILLI;
        room.refused(6, 10 * MILLI, nowNanos);
        room.refused(5, 20 * MILLI, nowNanos + MILLI);
        assertThat(room.room()).isEqualTo(3);
    }

    @Test
    void belowOneItIsShareOfCalls() {
        for (int i = 0; i < 5; i++) {
            refused(1);
        }
        assertThat(room.room()).isBetween(0.2, 0.21);
        assertThat(room.takes(0, 0.1)).isTrue();
        assertThat(room.takes(0, 0.3)).isFalse();
        assertThat(room.takes(1, 0.1)).isFalse();
        for (int i = 0; i < 1_000; i++) {
            refused(1);
        }
        assertThat(room.room()).isPositive();
    }

    @Test
    void answersThatTakeTwiceTheUsualShrinkIt() {
        answers(50, 10, UNKNOWN);
        double before = room.room();
        answers(12, 25, UNKNOWN);
        assertThat(room.room()).isLessThan(before);
    }

    @Test
    void answersThatTakeLittleLongerThanUsualDoNot() {
        answers(50, 10, UNKNOWN);
        double before = room.room();
        answers(12, 19, UNKNOWN);
        assertThat(room.room()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void hostThatWasSlowFromTheStartIsFoundByThoseFartherAway() {
        answers(30, 100, 20e6);
        assertThat(room.room()).isLessThan(8);
    }

    @Test
    void mixOfFastAndSlowAnswersIsUsual() {
        for (int i = 0; i < 300; i++) {
            answered((int) Math.ceil(room.room()), i % 2 == 0 ? 1 : 50, UNKNOWN);
        }
        assertThat(room.room()).isEqualTo(64);
    }

    @Test
    void whatWasLongAgoHoldsItBackLess() {
        for (int i = 0; i < 10; i++) {
            refused(1);
        }
        answers(20, 5, UNKNOWN);
        assertThat(room.room()).isLessThan(0.2);
        nowNanos += 10_000 * MILLI;
        answers(20, 5, UNKNOWN);
        assertThat(room.room()).isGreaterThan(0.5);
        refused(1);
        refused(1);
        room.recovered();
        assertThat(room.room()).isEqualTo(1);
    }

    @Test
    void growsAgainWhenTheHostBearsMore() {
        refused(6);
        double before = room.room();
        answers(200, 5, UNKNOWN);
        assertThat(room.room()).isGreaterThan(before + 3);
    }
}
