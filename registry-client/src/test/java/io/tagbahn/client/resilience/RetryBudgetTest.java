// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {

    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
    private final RetryBudget budget = RetryBudget.standard(nanos::get);

    private void passes(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void called(int times) {
        for (int i = 0; i < times; i++) {
            budget.called();
        }
    }

    private static int granted(BooleanSupplier retry) {
        int granted = 0;
        while (retry.getAsBoolean()) {
            granted++;
        }
        return granted;
    }

    @Test
    void withoutCallsTenASecondOfTheWindowMayBeRepeated() {
        assertThat(granted(budget::tryRetry)).isEqualTo(100);
    }

    @Test
    void aFifthOfTheCallsComesBesides() {
        called(1_000);
        assertThat(granted(budget::tryRetry)).isEqualTo(300);
    }

    @Test
    void whatIsOlderThanTheWindowCountsNoMore() {
        called(1_000);
        assertThat(granted(budget::tryRetry)).isEqualTo(300);
        passes(Duration.ofSeconds(5));
        called(500);
        assertThat(granted(budget::tryRetry)).isEqualTo(100);
        passes(Duration.ofMillis(5_500)); // the first calls and repetitions have left
        assertThat(granted(budget::tryRetry)).isEqualTo(100);
        passes(Duration.ofMinutes(10));
        assertThat(granted(budget::tryRetry)).isEqualTo(100);
    }

    @Test
    void ofRejectedCallsNoMoreThanTheShareIsRepeated() {
        called(1_000);
        assertThat(granted(budget::tryRetryWithinShare)).isEqualTo(200);
        assertThat(granted(budget::tryRetry)).isEqualTo(100);
    }

    @Test
    void aClientThatCallsRarelyMayRepeatOneRejectedCall() {
        called(1);
        assertThat(granted(budget::tryRetryWithinShare)).isEqualTo(1);
    }

    @Test
    void aBudgetWithoutAnythingGrantsNothing() {
        RetryBudget none = new RetryBudget(0, 0, Duration.ofSeconds(1), nanos::get);
        none.called();
        assertThat(none.tryRetry()).isFalse();
        assertThat(none.tryRetryWithinShare()).isFalse();
    }

    @Test
    void aClockThatSeemsToStepBackLosesNothing() {
        called(10);
        nanos.addAndGet(-3_000_000_000L);
        called(990);
        assertThat(granted(budget::tryRetry)).isEqualTo(300);
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithItsValue() {
        assertThatThrownBy(() -> new RetryBudget(1.5, 10, Duration.ofSeconds(1), nanos::get))
                .hasMessageContaining("1.5");
        assertThatThrownBy(() -> new RetryBudget(0.2, -1, Duration.ofSeconds(1), nanos::get))
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> new RetryBudget(0.2, 1, Duration.ZERO, nanos::get))
                .hasMessageContaining("PT0S");
    }
}
