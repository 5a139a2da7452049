// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.thrift.Discovery;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DeadlineWheelTest {

    private static final long MILLI = 1_000_000;

    private final List<Long> expired = new ArrayList<>();

    private static PendingCall<?> due(long nanos) {
        return new PendingCall<>(
                "owners", new Discovery.owners_args(), Discovery.owners_result::new, nanos, call -> {}, () -> {});
    }

    private void advance(DeadlineWheel wheel, long nowNanos) {
        wheel.advance(nowNanos, call -> expired.add(call.deadlineNanos));
    }

    @Test
    void callExpiresWithinTwoTicksOfItsDeadlineAndNotBefore() {
        long seed = 11;
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2_000; round++) {
            long start = random.nextLong(-1_000_000 * MILLI, 1_000_000 * MILLI);
            DeadlineWheel wheel = new DeadlineWheel(start);
            long deadline = start + random.nextLong(-100 * MILLI, 10_000 * MILLI);
            wheel.add(due(deadline));
            long now = start;
            expired.clear();
            while (expired.isEmpty()) {
                now += DeadlineWheel.TICK_NANOS;
                advance(wheel, now);
                if (expired.isEmpty()) {
                    assertThat(now - deadline).as("seed %d", seed).isLessThan(2 * DeadlineWheel.TICK_NANOS);
                }
            }
            assertThat(now).as("seed %d", seed).isGreaterThanOrEqualTo(deadline);
            assertThat(wheel.size()).isZero();
        }
    }

    @Test
    void callsOfOneSlotLeaveInAnyOrder() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        List<PendingCall<?>> calls = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            PendingCall<?> call = due(10 * MILLI);
            calls.add(call);
            wheel.add(call);
        }
        wheel.remove(calls.get(2));
        wheel.remove(calls.get(4));
        wheel.remove(calls.get(0));
        wheel.remove(calls.get(0));
        assertThat(wheel.size()).isEqualTo(2);
        advance(wheel, 100 * MILLI);
        assertThat(expired).hasSize(2);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void everythingDueExpiresAfterALongPause() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        for (long i = 1; i <= 1_000; i++) {
            wheel.add(due(i * 10 * MILLI));
        }
        wheel.add(due(3_600_000L * MILLI));
        advance(wheel, 1_800_000L * MILLI);
        assertThat(expired).hasSize(1_000);
        assertThat(wheel.size()).isEqualTo(1);
    }
}
