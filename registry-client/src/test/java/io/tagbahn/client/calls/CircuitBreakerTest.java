// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.client.calls.CircuitBreaker.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CircuitBreakerTest {

    private static final Duration OPEN_FOR = Duration.ofSeconds(2);
    private static final BreakerConfig CONFIG = BreakerConfig.defaults().withOpenFor(OPEN_FOR);
    private static final int TRIALS = 1_000;

    private final SteppedTime time = new SteppedTime(Long.MAX_VALUE - 1_000_000_000L); // wraps around on the way
    private final List<String> changes = new ArrayList<>();
    private final CircuitBreaker breaker = new CircuitBreaker(CONFIG, time, (from, to) -> changes.add(from + ">" + to));

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            breaker.failed(breaker.acquire());
        }
    }

    private void succeed(int times) {
        for (int i = 0; i < times; i++) {
            breaker.succeeded(breaker.acquire());
        }
    }

    @Test
    void failuresInRowOpenIt() {
        fail(4);
        succeed(1);
        fail(4);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(1);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.admits(time.getAsLong())).isFalse();
        assertThat(breaker.acquire()).isEqualTo(CircuitBreaker.REFUSED);
    }

    @Test
    void shareOfFailuresOpensItOnceThereAreEnoughCalls() {
        for (int i = 0; i < 9; i++) {
            fail(1);
            succeed(1);
        }
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        succeed(1);
        fail(1);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    void failuresOfLongAgoDoNotCount() {
        for (int i = 0; i < 9; i++) {
            fail(1);
            succeed(1);
        }
        time.pass(CONFIG.window().multipliedBy(2));
        for (int i = 0; i < 14; i++) {
            succeed(1);
        }
        fail(4);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void asManyGoodProbesAsThereArePlacesCloseIt() {
        fail(5);
        time.pass(OPEN_FOR);
        assertThat(breaker.admits(time.getAsLong())).isTrue();
        long one = breaker.acquire();
        long other = breaker.acquire();
        assertThat(breaker.acquire()).isEqualTo(CircuitBreaker.REFUSED);
        assertThat(breaker.admits(time.getAsLong())).isFalse();
        breaker.succeeded(one);
        breaker.succeeded(other);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(changes).containsExactly("CLOSED>OPEN", "OPEN>HALF_OPEN", "HALF_OPEN>CLOSED");
    }

    @Test
    void oneBadProbeOpensItForAnotherWhile() {
        fail(5);
        time.pass(OPEN_FOR);
        breaker.failed(breaker.acquire());
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        time.pass(OPEN_FOR.minusNanos(1));
        assertThat(breaker.acquire()).isEqualTo(CircuitBreaker.REFUSED);
        time.pass(Duration.ofNanos(1));
        assertThat(breaker.acquire()).isNotEqualTo(CircuitBreaker.REFUSED);
    }

    @Test
    void placeOfProbeThatWasNeverHeardOfIsGivenToAnother() {
        fail(5);
        time.pass(OPEN_FOR);
        breaker.acquire();
        breaker.acquire();
        time.pass(CONFIG.probeTimeout().minusNanos(1));
        assertThat(breaker.acquire()).isEqualTo(CircuitBreaker.REFUSED);
        time.pass(Duration.ofNanos(1));
        assertThat(breaker.admits(time.getAsLong())).isTrue();
        assertThat(breaker.acquire()).isNotEqualTo(CircuitBreaker.REFUSED);
    }

    @Test
    void outcomesOfCallsFromBeforeTheOutageSayNothing() {
        long old = breaker.acquire();
        long older = breaker.acquire();
        fail(5);
        breaker.succeeded(old);
        time.pass(OPEN_FOR);
        long probe = breaker.acquire();
        breaker.failed(older);
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        breaker.succeeded(probe);
        breaker.succeeded(breaker.acquire());
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    /** FF-01: probes that are cancelled, interrupted, thrown away or forgotten never leave it stuck. */
    @Test
    void whateverProbesDoCallsFlowWithinTwoWaits() {
        for (int trial = 0; trial < TRIALS; trial++) {
            SplittableRandom random = new SplittableRandom(trial);
            SteppedTime now = new SteppedTime(random.nextLong());
            CircuitBreaker tried = new CircuitBreaker(CONFIG, now, (from, to) -> {});
            for (int i = 0; i < CONFIG.failuresInRow(); i++) {
                tried.failed(tried.acquire());
            }
            Deque<Long> held = new ArrayDeque<>();
            // An outage: probes fail, are given back, or are forgotten; some are heard of late.
            for (int step = 0; step < 100; step++) {
                now.pass(Duration.ofMillis(random.nextInt(500)));
                long permit = tried.acquire();
                if (permit != CircuitBreaker.REFUSED) {
                    switch (random.nextInt(4)) {
                        case 0 -> tried.failed(permit);
                        case 1 -> tried.released(permit);
                        case 2 -> held.add(permit);
                        default -> {} // forgotten for ever
                    }
                }
                if (!held.isEmpty() && random.nextInt(3) == 0) {
                    long late = held.remove();
                    if (random.nextBoolean()) {
                        tried.released(late);
                    } else {
                        tried.failed(late);
                    }
                }
            }
            // The host is well again.
            long healedNanos = now.getAsLong();
            while (tried.state() != State.CLOSED) {
                now.pass(Duration.ofMillis(10));
                long permit = tried.acquire();
                if (permit != CircuitBreaker.REFUSED) {
                    tried.succeeded(permit);
                }
                assertThat(now.getAsLong() - healedNanos)
                        .as("seed %d, state %s", trial, tried.state())
                        .isLessThanOrEqualTo(2 * OPEN_FOR.toNanos());
            }
            assertThat(tried.acquire()).as("seed %d", trial).isNotEqualTo(CircuitBreaker.REFUSED);
        }
    }
}
