// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SuspicionTest {

    private static Suspicion suspicion() {
        return new Suspicion("first", Evidence.SILENT, 1_000, 2_000, 12_000, 2);
    }

    @Test
    void withoutConfirmationTheLongestTimeHolds() {
        assertThat(suspicion().deadlineNanos()).isEqualTo(13_000);
    }

    @Test
    void theFirstConfirmationShortensMost() {
        Suspicion suspicion = suspicion();
        assertThat(suspicion.confirm("second")).isTrue();
        // 12,000 − 10,000 · log 2 / log 3.
        assertThat(suspicion.deadlineNanos()).isCloseTo(1_000 + 5_691L, within(2L));
        assertThat(suspicion.confirm("third")).isTrue();
        assertThat(suspicion.deadlineNanos()).isEqualTo(3_000);
    }

    @Test
    void anAccuserCountsOnceAndNoMoreCountThanAreWanted() {
        Suspicion suspicion = suspicion();
        assertThat(suspicion.confirm("first")).isFalse();
        suspicion.confirm("second");
        assertThat(suspicion.confirm("second")).isFalse();
        suspicion.confirm("third");
        assertThat(suspicion.confirm("fourth")).isFalse();
    }

    @Test
    void oneThatWaitedAlreadyBringsTheShortestTime() {
        Suspicion suspicion = suspicion();
        suspicion.hasten();
        assertThat(suspicion.deadlineNanos()).isEqualTo(3_000);
    }

    @Test
    void strongerEvidenceShortensAllTimes() {
        Suspicion suspicion = suspicion();
        suspicion.strengthen(Evidence.REFUSED, 500, 3_000);
        assertThat(suspicion.evidence()).isEqualTo(Evidence.REFUSED);
        assertThat(suspicion.deadlineNanos()).isEqualTo(4_000);
    }

    @Test
    void timeInWhichThisProcessWasStoppedIsGivenBack() {
        Suspicion suspicion = suspicion();
        suspicion.postpone(700);
        assertThat(suspicion.deadlineNanos()).isEqualTo(13_700);
    }

    @Test
    void whereNobodyCanConfirmTheShortestTimeHolds() {
        assertThat(new Suspicion("only", Evidence.SILENT, 0, 2_000, 12_000, 0).deadlineNanos())
                .isEqualTo(2_000);
    }
}
