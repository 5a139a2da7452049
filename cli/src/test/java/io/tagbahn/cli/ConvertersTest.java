// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class ConvertersTest {

    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "1s,PT1S", "1.5s,PT1.5S", "2m,PT2M", "1h,PT1H", "0s,PT0S", "0.1ms,PT0.0001S"})
    void durationIsRead(String text, Duration expected) {
        assertThat(Converters.duration(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "s", "-1s", "1d", "1 s", "PT1S", "1e3s", "9223372036854775807h", "876001h"})
    void otherTextIsNoDuration(String text) {
        assertThatThrownBy(() -> Converters.duration(text)).isInstanceOf(TypeConversionException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", "host:0", "host:65536", "host:2147483648", "::1:80", ":80"})
    void otherTextIsNoAddress(String text) {
        assertThatThrownBy(() -> Converters.hostPort(text)).isInstanceOf(TypeConversionException.class);
    }
}
