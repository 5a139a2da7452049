// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Locality;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CallerConfigTest {

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        assertThat(CallerConfig.defaults())
                .isEqualTo(new CallerConfig(
                        Duration.ofSeconds(1),
                        Optional.empty(),
                        new RetryConfig(3, Duration.ofMillis(10), Duration.ofSeconds(1), 0.2, 10),
                        Optional.of(new BulkheadConfig(256, 256, Duration.ofMillis(100), 64)),
                        Optional.of(new BreakerConfig(
                                0.5, 20, 5, Duration.ofSeconds(10), Duration.ofSeconds(2), 2, Duration.ofSeconds(2))),
                        Optional.of(
                                new EjectionConfig(Duration.ofSeconds(1), 10, 0.3, 5, Duration.ofSeconds(5), 1.0 / 3)),
                        new SpreadConfig(
                                SpreadConfig.Choice.BALANCED,
                                Locality.UNKNOWN,
                                true,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(30)),
                        true));
    }

    @Test
    void valueOutOfItsRangeIsRefusedWithKeyValueAndRange() {
        assertThatThrownBy(() -> CallerConfig.defaults().withTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout PT0S is not within PT0.001S..PT1H");
        assertThatThrownBy(() -> RetryConfig.defaults().withAttemptsMax(17))
                .hasMessage("retry.attemptsMax 17.0 is not within 1.0..16.0");
        assertThatThrownBy(() -> BreakerConfig.defaults().withFailureShare(0))
                .hasMessageContaining("breaker.failureShare");
        assertThatThrownBy(() -> BulkheadConfig.defaults().withCallsMax(0)).hasMessageContaining("bulkhead.callsMax");
        assertThatThrownBy(() -> EjectionConfig.defaults().withShareMax(2)).hasMessageContaining("ejection.shareMax");
        assertThatThrownBy(() -> SpreadConfig.defaults().withSlowStart(Duration.ofDays(1)))
                .hasMessageContaining("spread.slowStart");
    }
}
