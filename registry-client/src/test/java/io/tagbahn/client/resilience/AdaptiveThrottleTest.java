// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdaptiveThrottleTest {

    private static final long MILLI = 1_000_000;

    private final AtomicLong nanos = new AtomicLong();
    private final AdaptiveThrottle throttle = AdaptiveThrottle.standard(nanos::get, new SplittableRandom(11));

    /** A server that accepts so many requests in each second, of a caller that makes a thousand. */
    private int sentIn(int seconds, int acceptedPerSecond) {
        int sent = 0;
        for (int second = 0; second < seconds; second++) {
            int accepted = 0;
            int due = 0;
            for (int i = 0; i < 1_000; i++) {
                nanos.addAndGet(MILLI);
                due += acceptedPerSecond;
                if (throttle.admits()) {
                    sent++;
                    if (accepted < due / 1_000) {
                        accepted++;
                        throttle.accepted();
                    } else {
                        throttle.rejected();
                    }
                }
            }
        }
        return sent;
    }

    @Test
    void whatIsAcceptedIsNeverThrottled() {
        assertThat(sentIn(10, 1_000)).isEqualTo(10_000);
        assertThat(sentIn(10, 500)).as("half of it").isGreaterThan(9_500);
    }

    @Test
    void anOverloadedServerGetsAboutTwiceWhatItAccepts() {
        sentIn(120, 100);
        int sent = sentIn(60, 100);
        assertThat(sent / (60.0 * 100)).isCloseTo(2.0, within(0.5));
    }

    @Test
    void aServerThatAcceptsNothingIsAskedNowAndThen() {
        sentIn(120, 0);
        int sent = sentIn(10, 0);
        assertThat(sent).isBetween(1, 100);
    }

    @Test
    void throttlingEndsSoonAfterTheOverloadAlthoughTheLongWindowStillHoldsIt() {
        sentIn(120, 100);
        sentIn(2, 1_000);
        assertThat(sentIn(1, 1_000)).isGreaterThan(950);
        assertThat(sentIn(1, 1_000)).isEqualTo(1_000);
    }

    @Test
    void aShortBurstOfRejectionsAfterLongSuccessThrottlesNothing() {
        sentIn(60, 1_000);
        assertThat(sentIn(2, 0)).isEqualTo(2_000);
    }

    @Test
    void theShareThatIsRefusedIsTold() {
        assertThat(throttle.refusedShare()).isZero();
        throttle.accepted();
        for (int i = 0; i < 8; i++) {
            throttle.rejected();
        }
        assertThat(throttle.refusedShare()).as("nine say nothing yet").isZero();
        throttle.rejected();
        assertThat(throttle.refusedShare()).isCloseTo((10 - 2) / 11.0, within(1e-9));
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(throttle.refusedShare()).isZero();
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithItsValue() {
        SplittableRandom random = new SplittableRandom(1);
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new AdaptiveThrottle(1, second, second, nanos::get, random))
                .hasMessageContaining("1.0");
        assertThatThrownBy(() -> new AdaptiveThrottle(2, second, second.multipliedBy(2), nanos::get, random))
                .hasMessageContaining("PT2S");
    }
}
