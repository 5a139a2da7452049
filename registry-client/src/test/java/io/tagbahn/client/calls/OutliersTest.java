// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutliersTest {

    private static final Outliers.Figures GOOD = did(0, 10);

    private final Outliers outliers = new Outliers(EjectionConfig.defaults());

    private static Outliers.Figures did(int failures, double latencyMillis) {
        return new Outliers.Figures(100, failures, 1, latencyMillis * 1e6);
    }

    private static List<Outliers.Figures> with(int good, Outliers.Figures... others) {
        List<Outliers.Figures> records = new ArrayList<>(List.of(others));
        for (int i = 0; i < good; i++) {
            records.add(GOOD);
        }
        return records;
    }

    @Test
    void hostThatFailsMoreThanTheOthersIsFound() {
        assertThat(outliers.of(with(3, did(31, 10)), 0)).containsExactly(0);
        assertThat(outliers.of(with(3, did(30, 10)), 0)).isEmpty();
    }

    @Test
    void hostThatIsMuchSlowerThanThoseAsNearIsFound() {
        assertThat(outliers.of(with(3, did(0, 51)), 0)).containsExactly(0);
        assertThat(outliers.of(with(3, did(0, 50)), 0)).isEmpty();
        Outliers.Figures far = new Outliers.Figures(100, 0, 3, 200e6);
        assertThat(outliers.of(with(3, far), 0)).isEmpty();
    }

    @Test
    void ofTwoHostsTheSlowerOneMayBeTheUsual() {
        assertThat(outliers.of(with(1, did(0, 500)), 0)).isEmpty();
        assertThat(outliers.of(with(1, did(90, 10)), 0)).containsExactly(0);
    }

    @Test
    void whereAllFailNobodyIsAnOutlier() {
        assertThat(outliers.of(with(0, did(90, 10), did(90, 10), did(95, 10)), 0))
                .isEmpty();
    }

    @Test
    void noMoreThanAShareIsLeftOutTheWorstFirst() {
        List<Outliers.Figures> records = with(5, did(60, 10), did(90, 10), did(70, 10), did(80, 10));
        assertThat(outliers.of(records, 0)).containsExactly(1, 3, 2); // a third of nine
        assertThat(outliers.of(records, 2)).containsExactly(1);
        assertThat(outliers.of(records, 5)).isEmpty();
    }

    @Test
    void lastHostIsNeverLeftOut() {
        assertThat(outliers.of(with(0, did(100, 10)), 0)).isEmpty();
        Outliers all = new Outliers(EjectionConfig.defaults().withShareMax(1));
        assertThat(all.of(with(1, did(100, 10)), 0)).hasSize(1);
        assertThat(all.of(with(0, did(100, 10)), 1)).isEmpty();
    }

    @Test
    void hostWithFewCallsIsNotJudged() {
        Outliers.Figures few = new Outliers.Figures(9, 9, 1, 0);
        assertThat(outliers.of(with(3, few), 0)).isEmpty();
    }
}
