// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** How values of options are read. */
final class Converters {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(ms|s|m|h)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms",
            Duration.ofMillis(1),
            "s",
            Duration.ofSeconds(1),
            "m",
            Duration.ofMinutes(1),
            "h",
            Duration.ofHours(1));

    /** No option takes a longer time: more is refused before it could overflow anything. */
    private static final Duration DURATION_MAX = Duration.ofDays(36_500);

    private Converters() {}

    static HostPort hostPort(String text) {
        try {
            return HostPort.parse(text.strip());
        } catch (InvalidArgument e) {
            throw new TypeConversionException("'" + text + "': " + e.getMessage());
        }
    }

    /** A constant as it is typed: by its name or by what it is shown as, whatever the case. */
    static <E extends Enum<E>> E constant(Class<E> type, String text) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(text) || constant.toString().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        throw new TypeConversionException("'" + text + "' is none of "
                + Arrays.stream(type.getEnumConstants()).map(Enum::toString).collect(Collectors.joining(", ")));
    }

    /** {@code 500ms}, {@code 1s}, {@code 1.5m}, {@code 2h}. */
    static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no duration: write 500ms, 1s, 2m or 1h");
        }
        Duration unit = UNITS.getOrDefault(matcher.group(2), Duration.ZERO);
        BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit.toNanos()));
        if (nanos.compareTo(BigDecimal.valueOf(DURATION_MAX.toSeconds()).movePointRight(9)) > 0) {
            throw new TypeConversionException("'" + text + "' is too long");
        }
        return Duration.ofNanos(nanos.longValue());
    }
}
