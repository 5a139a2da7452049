// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Criticality;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WaitingLimitTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private long nowNanos;

    /** Keeps as many calls waiting as find room, each of which takes so long, for a while. */
    private void load(WaitingLimit limit, long tookNanos, Duration length) {
        long endNanos = nowNanos + length.toNanos();
        while (nowNanos < endNanos) {
            int begun = 0;
            while (limit.hasRoom(Criticality.NORMAL)) {
                limit.begin();
                begun++;
            }
            nowNanos += Math.max(tookNanos, 10 * MILLI);
            for (int i = 0; i < begun; i++) {
                limit.end(tookNanos, nowNanos);
            }
        }
    }

    @Test
    void itGrowsWhileCallsStayAsQuickAsEver() {
        WaitingLimit limit = new WaitingLimit(10_000);
        int first = limit.limit();
        load(limit, 5 * MILLI, Duration.ofSeconds(5));
        assertThat(limit.limit()).isGreaterThan(2 * first);
        load(limit, 5 * MILLI, Duration.ofMinutes(1));
        assertThat(limit.limit()).isEqualTo(10_000);
    }

    @Test
    void itShrinksWhileCallsTakeMuchLongerThanUsual() {
        WaitingLimit limit = new WaitingLimit(10_000);
        load(limit, 5 * MILLI, Duration.ofSeconds(2));
        load(limit, 900 * MILLI, Duration.ofSeconds(20));
        assertThat(limit.limit()).isLessThan(100).isGreaterThanOrEqualTo(WaitingLimit.LIMIT_MIN);
        load(limit, 5 * MILLI, Duration.ofSeconds(30));
        assertThat(limit.limit()).isGreaterThan(1_000);
    }

    @Test
    void slowIsUsualWhereItAlwaysWas() {
        WaitingLimit limit = new WaitingLimit(10_000);
        load(limit, 200 * MILLI, Duration.ofSeconds(20));
        assertThat(limit.limit()).isGreaterThan(2_000);
    }

    @Test
    void itDoesNotGrowWhereItIsNotNeeded() {
        WaitingLimit limit = new WaitingLimit(10_000);
        int first = limit.limit();
        for (int i = 0; i < 10_000; i++) {
            limit.begin();
            nowNanos += MILLI;
            limit.end(MILLI, nowNanos);
        }
        assertThat(limit.limit()).isEqualTo(first);
    }

    @Test
    void leasesFindRoomWhenAllTheRestIsTaken() {
        WaitingLimit limit = new WaitingLimit(100);
        while (limit.hasRoom(Criticality.SHEDDABLE)) {
            limit.begin();
        }
        assertThat(limit.waiting()).isEqualTo(80);
        while (limit.hasRoom(Criticality.NORMAL)) {
            limit.begin();
        }
        assertThat(limit.waiting()).isEqualTo(100);
        assertThat(limit.hasRoom(Criticality.CRITICAL)).isTrue();
        while (limit.hasRoom(Criticality.CRITICAL)) {
            limit.begin();
        }
        assertThat(limit.waiting()).isEqualTo(150);
    }

    @Test
    void noRoomAtAllIsNoLimit() {
        assertThatThrownBy(() -> new WaitingLimit(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
