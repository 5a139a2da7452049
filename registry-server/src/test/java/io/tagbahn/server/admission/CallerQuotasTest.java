// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CallerQuotasTest {

    private static final long MILLI = 1_000_000;
    private static final long ROUND_MILLIS = 200;
    private static final QuotaTerms TERMS = new QuotaTerms(1_000, 2_000);

    private final QuotaAccounts account = new QuotaAccounts(TERMS);
    private final List<CallerQuotas> nodes = new ArrayList<>();
    private long nowNanos = 1;

    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            CallerQuotas node = new CallerQuotas(TERMS);
            node.nodes(count);
            nodes.add(node);
        }
    }

    /** Has a caller make so many calls a second at each node; answers how many were let in. */
    private long run(int seconds, boolean reachable, double... perSecond) {
        long let = 0;
        double[] due = new double[perSecond.length];
        for (long milli = 1; milli <= seconds * 1_000L; milli++) {
            nowNanos += MILLI;
            for (int i = 0; i < perSecond.length; i++) {
                for (due[i] += perSecond[i] / 1_000; due[i] >= 1; due[i]--) {
                    let += nodes.get(i).take("caller", nowNanos) ? 1 : 0;
                }
            }
            if (milli % ROUND_MILLIS == 0) {
                nodes.forEach(node -> node.wanted(1_000, nowNanos).forEach((caller, wanted) -> {
                    if (reachable) {
                        node.drawn(caller, account.draw(caller, wanted, nowNanos), nowNanos);
                    }
                }));
            }
        }
        return let;
    }

    @Test
    void aCallerGetsItsRateOfTheWholeClusterHoweverItSpreadsItsCalls() {
        nodes(4);
        run(5, true, 5_000, 0, 0, 0);
        assertThat(run(10, true, 5_000, 0, 0, 0)).isBetween(9_500L, 10_500L);
        run(5, true, 2_000, 2_000, 100, 2_000);
        assertThat(run(10, true, 2_000, 2_000, 100, 2_000)).isBetween(9_000L, 11_000L);
    }

    @Test
    void whoKeepsToItIsNeverRefused() {
        nodes(3);
        assertThat(run(20, true, 700, 100, 100)).isBetween(17_990L, 18_000L);
    }

    @Test
    void whoeverWasQuietMayMakeABurst() {
        nodes(2);
        run(5, true, 10, 0);
        // Within a second, its burst and what its account gets meanwhile.
        assertThat(run(1, true, 3_000, 0)).isBetween(2_300L, 3_000L);
    }

    @Test
    void withoutItsAccountACallerGetsTheNodesPartOfTheRate() {
        nodes(4);
        run(5, false, 5_000, 5_000, 0, 0);
        assertThat(run(10, false, 5_000, 5_000, 0, 0)).isBetween(4_800L, 5_200L);
    }

    @Test
    void anAccountGivesNoMoreThanThereIs() {
        assertThat(account.draw("a", 5_000, nowNanos)).isEqualTo(2_000);
        assertThat(account.draw("a", 1, nowNanos)).isZero();
        assertThat(account.draw("a", 5_000, nowNanos + 500 * MILLI)).isEqualTo(500);
        assertThat(account.draw("b", -3, nowNanos)).isZero();
    }

    @Test
    void callersAndAccountsThatAreForgottenAreThoseThatWereQuietTheLongest() {
        nodes(1);
        for (int i = 0; i < CallerQuotas.CALLERS_MAX + 100; i++) {
            nodes.get(0).take("caller-" + i, nowNanos);
            account.draw("caller-" + i, 2_000, nowNanos);
        }
        for (int i = 0; i < 1_000; i++) {
            nodes.get(0).take("caller-200", nowNanos);
        }
        assertThat(nodes.get(0).wanted(Integer.MAX_VALUE, nowNanos)).containsOnlyKeys("caller-200");
        assertThat(account.draw("caller-" + QuotaAccounts.ACCOUNTS_MAX, 10, nowNanos))
                .isZero();
        assertThat(account.draw("caller-0", 10, nowNanos)).isEqualTo(10);
    }
}
