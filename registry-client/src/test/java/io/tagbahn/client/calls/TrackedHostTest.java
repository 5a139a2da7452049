// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.client.calls.TrackedHost.FailureOrAnswer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TrackedHostTest {

    private static final BreakerConfig BREAKER = BreakerConfig.defaults().withProbes(1, Duration.ofSeconds(2));

    private final SteppedTime time = new SteppedTime(0);
    private final TrackedHost host = new TrackedHost(
            TestingHosts.host(1),
            Optional.of(new CircuitBreaker(BREAKER, time, (from, to) -> {})),
            new TierLatencies(0),
            64,
            Duration.ofSeconds(10),
            0);

    private void call(FailureOrAnswer outcome, Duration takes) {
        long sentNanos = time.getAsLong();
        long permit = host.acquire();
        assertThat(permit).isNotEqualTo(CircuitBreaker.REFUSED);
        time.pass(takes);
        host.settle(permit, outcome, sentNanos, time.getAsLong(), outcome == FailureOrAnswer.HOST_FAILURE);
    }

    @Test
    void hostThatIsWellAgainIsNotJudgedByWhatItDidBefore() {
        call(FailureOrAnswer.ANSWER, Duration.ofMillis(5));
        assertThat(host.latencyNanos(time.getAsLong())).isEqualTo(5e6);
        for (int i = 0; i < 5; i++) {
            call(FailureOrAnswer.HOST_FAILURE, Duration.ofSeconds(1));
        }
        assertThat(host.isOpen(time.getAsLong())).isFalse();
        assertThat(host.latencyNanos(time.getAsLong())).as("nobody knows").isZero();
        assertThat(host.room().room()).isLessThan(1);
        time.pass(Duration.ofSeconds(2));
        call(FailureOrAnswer.ANSWER, Duration.ofMillis(5));
        assertThat(host.latencyNanos(time.getAsLong())).isEqualTo(5e6);
        assertThat(host.room().room()).isBetween(1.0, 1.1);
        assertThat(host.pending()).isZero();
    }

    @Test
    void shareGrowsWhileItStartsSlowly() {
        host.startSlowly(time.getAsLong());
        assertThat(host.share(time.getAsLong())).isEqualTo(10);
        time.pass(Duration.ofSeconds(5));
        assertThat(host.share(time.getAsLong())).isEqualTo(50);
        time.pass(Duration.ofSeconds(5));
        assertThat(host.share(time.getAsLong())).isEqualTo(100);
        assertThat(host.isStarting()).isFalse();
    }

    @Test
    void callThatSaysNothingCountsForNothing() {
        call(FailureOrAnswer.NOTHING, Duration.ofSeconds(1));
        assertThat(host.latencyNanos(time.getAsLong())).isZero();
        assertThat(host.takeRecord().calls()).isZero();
        assertThat(host.pending()).isZero();
    }
}
