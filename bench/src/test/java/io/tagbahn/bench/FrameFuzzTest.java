// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FrameFuzzTest {

    private static final int MESSAGES = 3_000;

    @Test
    void serverStandsAFewThousandHostileMessages() throws Exception {
        BufferLeaks.watch();
        AtomicInteger left = new AtomicInteger(MESSAGES);
        FrameFuzz.Report report = FrameFuzz.self(20_261_129, () -> left.getAndDecrement() > 0, System::nanoTime);
        assertThat(report.findings()).as("seed %d", report.seed()).isEmpty();
        assertThat(report.messages()).isEqualTo(MESSAGES);
        assertThat(report.goodCalls()).isPositive();
    }
}
