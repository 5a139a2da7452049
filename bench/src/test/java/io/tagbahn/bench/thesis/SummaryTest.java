// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SummaryTest {

    @Test
    void figuresAreThoseOfTheTextbook() {
        Summary summary = Summary.ofNanos(new long[] {4_000_000, 2_000_000, 9_000_000, 5_000_000});
        assertThat(summary.samples()).isEqualTo(4);
        assertThat(summary.meanMillis()).isEqualTo(5);
        assertThat(summary.medianMillis()).isEqualTo(4.5);
        assertThat(summary.p95Millis()).isEqualTo(9);
        assertThat(summary.stdevMillis()).isCloseTo(Math.sqrt(26.0 / 3), within(1e-9));
    }

    @Test
    void ninetyFiveOfAHundredAreNotAboveTheNinetyFifthPercentile() {
        Summary summary = Summary.ofNanos(
                LongStream.rangeClosed(1, 100).map(i -> i * 1_000_000).toArray());
        assertThat(summary.p95Millis()).isEqualTo(95);
        assertThat(summary.medianMillis()).isEqualTo(50.5);
    }

    @Test
    void oneTimeHasNoDeviationAndNoTimeHasNoSummary() {
        assertThat(Summary.ofNanos(new long[] {7_000_000}).stdevMillis()).isZero();
        assertThatThrownBy(() -> Summary.ofNanos(new long[0])).isInstanceOf(IllegalArgumentException.class);
    }
}
