// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OpenLoopTest {

    private static final long TICK_NANOS = Duration.ofMillis(1).toNanos();

    /** Goes on by a little whenever it is read. */
    private final AtomicLong nowNanos = new AtomicLong();

    private long tick() {
        return nowNanos.addAndGet(TICK_NANOS);
    }

    @Test
    void callsAreMadeAtTheRateAndAllAreCounted() throws InterruptedException {
        LoopOutcome outcome =
                new OpenLoop(100, this::tick, () -> CompletableFuture.completedFuture("x")).run(Duration.ofSeconds(1));
        assertThat(outcome.calls()).isEqualTo(100);
        assertThat(outcome.failures()).isZero();
        assertThat(outcome.callsPerSecond()).isBetween(90.0, 102.0);
        assertThat(outcome.latencyNanos().getTotalCount()).isEqualTo(100);
        assertThat(outcome.latencyNanos().getMaxValue())
                .isLessThan(Duration.ofMillis(50).toNanos());
    }

    @Test
    void callsThatWereDueDuringAPauseCarryIt() throws InterruptedException {
        AtomicLong made = new AtomicLong();
        Duration pause = Duration.ofMillis(500);
        LoopOutcome outcome = new OpenLoop(100, this::tick, () -> {
                    if (made.incrementAndGet() == 20) {
                        nowNanos.addAndGet(pause.toNanos());
                    }
                    return CompletableFuture.completedFuture("x");
                })
                .run(Duration.ofSeconds(1));
        // Fifty were due while nothing could be sent; half of them more than half the pause ago.
        long half = outcome.latencyNanos().getCountBetweenValues(pause.toNanos() / 2, LoopOutcome.LATENCY_NANOS_MAX);
        assertThat(half).isBetween(20L, 35L);
    }

    @Test
    void failuresAreNotAmongTheCalls() throws InterruptedException {
        LoopOutcome outcome = new OpenLoop(
                        100, this::tick, () -> CompletableFuture.failedFuture(new IllegalStateException("no")))
                .run(Duration.ofMillis(100));
        assertThat(outcome.calls()).isZero();
        assertThat(outcome.failures()).isEqualTo(10);
    }

    @Test
    void rateThatIsNoneIsRefused() {
        assertThatThrownBy(() -> new OpenLoop(0, this::tick, () -> CompletableFuture.completedFuture("x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }
}
