// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The canonical lexical forms of XML Schema Part 2, second edition (XSD 1.0), for the datatypes whose values have more
 * than one spelling.
 */
final class XsdForm {

    static final String XSD = "http://www.w3.org/2001/XMLSchema#";

    private static final Pattern DECIMAL = Pattern.compile("([+-]?)(?:([0-9]+)(?:\\.([0-9]*))?|\\.([0-9]+))");
    private static final Pattern INTEGER = Pattern.compile("([+-]?)([0-9]+)");
    private static final Pattern FLOATING =
            Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
    private static final Pattern DATE_TIME = Pattern.compile("(-?(?:[1-9][0-9]{4,}|[0-9]{4}))-([0-9]{2})-([0-9]{2})"
            + "T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2})?");

    /** No integer type with bounds needs more digits; longer ones are out of range, or have no range. */
    private static final int BOUNDED_DIGITS_MAX = 20;

    private static final BigInteger DAYS_REPEAT_YEARS = BigInteger.valueOf(400);

    private record Range(@Nullable BigInteger min, @Nullable BigInteger max) {

        static Range of(String min, String max) {
            return new Range(min.isEmpty() ? null : new BigInteger(min), max.isEmpty() ? null : new BigInteger(max));
        }

        boolean holds(BigInteger value) {
            return (min == null || value.compareTo(min) >= 0) && (max == null || value.compareTo(max) <= 0);
        }
    }

    private static final Map<String, Range> INTEGER_TYPES = Map.ofEntries(
            Map.entry("integer", Range.of("", "")),
            Map.entry("nonPositiveInteger", Range.of("", "0")),
            Map.entry("negativeInteger", Range.of("", "-1")),
            Map.entry("nonNegativeInteger", Range.of("0", "")),
            Map.entry("positiveInteger", Range.of("1", "")),
            Map.entry("long", Range.of("-9223372036854775808", "9223372036854775807")),
            Map.entry("int", Range.of("-2147483648", "2147483647")),
            Map.entry("short", Range.of("-32768", "32767")),
            Map.entry("byte", Range.of("-128", "127")),
            Map.entry("unsignedLong", Range.of("0", "18446744073709551615")),
            Map.entry("unsignedInt", Range.of("0", "4294967295")),
            Map.entry("unsignedShort", Range.of("0", "65535")),
            Map.entry("unsignedByte", Range.of("0", "255")));

    private XsdForm() {}

    /** The canonical form; the text itself where it is ill-formed or its datatype has no form of its own. */
    static String canonical(String lexical, String datatype) {
        if (!datatype.startsWith(XSD)) {
            return lexical;
        }
        String type = datatype.substring(XSD.length());
        return switch (type) {
            case "boolean" -> booleanForm(lexical);
            case "decimal" -> decimalForm(lexical);
            case "double" -> doubleForm(lexical);
            case "float" -> floatForm(lexical);
            case "dateTime" -> dateTimeForm(lexical);
            default -> {
                Range range = INTEGER_TYPES.get(type);
                yield range == null ? lexical : integerForm(lexical, range);
            }
        };
    }

    private static String booleanForm(String lexical) {
        return switch (lexical) {
            case "1" -> "true";
            case "0" -> "false";
            default -> lexical;
        };
    }

    private static String decimalForm(String lexical) {
        Matcher m = DECIMAL.matcher(lexical);
        if (!m.matches()) {
            return lexical;
        }
        String whole = withoutLeadingZeros(m.group(2) == null ? "" : m.group(2));
        String fraction = m.group(3) != null ? m.group(3) : m.group(4) != null ? m.group(4) : "";
        fraction = withoutTrailingZeros(fraction);
        boolean zero = whole.equals("0") && fraction.isEmpty();
        String sign = m.group(1).equals("-") && !zero ? "-" : "";
        return sign + whole + "." + (fraction.isEmpty() ? "0" : fraction);
    }

    private static String integerForm(String lexical, Range range) {
        Matcher m = INTEGER.matcher(lexical);
        if (!m.matches()) {
            return lexical;
        }
        String digits = withoutLeadingZeros(m.group(2));
        String sign = m.group(1).equals("-") && !digits.equals("0") ? "-" : "";
        // A number of thousands of digits need not be computed to be compared with bounds of at most 20.
        String compared = digits.length() > BOUNDED_DIGITS_MAX ? "1" + "0".repeat(BOUNDED_DIGITS_MAX) : digits;
        return range.holds(new BigInteger(sign + compared)) ? sign + digits : lexical;
    }

    private static String doubleForm(String lexical) {
        if (!FLOATING.matcher(lexical).matches()) {
            return lexical;
        }
        double value = Double.parseDouble(lexical);
        if (Double.isInfinite(value)) {
            return value > 0 ? "INF" : "-INF";
        }
        if (value == 0) {
            return "0.0E0";
        }
        // Double.toString gives other digits from Java 19 on; canonical forms must not depend on the JVM.
        BigDecimal exact = new BigDecimal(value);
        for (int precision = 1; precision < 17; precision++) {
            BigDecimal rounded = exact.round(new MathContext(precision, RoundingMode.HALF_EVEN));
            if (Double.parseDouble(rounded.toString()) == value) {
                return scientific(rounded);
            }
        }
        return scientific(exact.round(new MathContext(17, RoundingMode.HALF_EVEN)));
    }

    private static String floatForm(String lexical) {
        if (!FLOATING.matcher(lexical).matches()) {
            return lexical;
        }
        float value = Float.parseFloat(lexical);
        if (Float.isInfinite(value)) {
            return value > 0 ? "INF" : "-INF";
        }
        if (value == 0) {
            return "0.0E0";
        }
        BigDecimal exact = new BigDecimal(value);
        for (int precision = 1; precision < 9; precision++) {
            BigDecimal rounded = exact.round(new MathContext(precision, RoundingMode.HALF_EVEN));
            if (Float.parseFloat(rounded.toString()) == value) {
                return scientific(rounded);
            }
        }
        return scientific(exact.round(new MathContext(9, RoundingMode.HALF_EVEN)));
    }

    private static String scientific(BigDecimal value) {
        String digits = value.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - value.scale();
        String fraction = withoutTrailingZeros(digits.substring(1));
        return (value.signum() < 0 ? "-" : "")
                + digits.charAt(0)
                + "."
                + (fraction.isEmpty() ? "0" : fraction)
                + "E"
                + exponent;
    }

    private static String dateTimeForm(String lexical) {
        Matcher m = DATE_TIME.matcher(lexical);
        if (!m.matches()) {
            return lexical;
        }
        BigInteger written = new BigInteger(m.group(1));
        int month = Integer.parseInt(m.group(2));
        int day = Integer.parseInt(m.group(3));
        int hour = Integer.parseInt(m.group(4));
        int minute = Integer.parseInt(m.group(5));
        int second = Integer.parseInt(m.group(6));
        String fraction = withoutTrailingZeros(m.group(7) == null ? "" : m.group(7));
        String zone = m.group(8) == null ? "" : m.group(8);
        // XSD 1.0 has no year 0: -0001 is the year before 0001.
        if (written.signum() == 0 || month < 1 || month > 12 || minute > 59 || second > 59) {
            return lexical;
        }
        boolean midnight = hour == 24 && minute == 0 && second == 0 && fraction.isEmpty();
        if (hour > 23 && !midnight) {
            return lexical;
        }
        BigInteger year = written.signum() < 0 ? written.add(BigInteger.ONE) : written;
        // The calendar repeats every 400 years, so that years of any length can be reckoned in a near one.
        int near = 2000 + year.mod(DAYS_REPEAT_YEARS).intValue();
        if (day < 1 || day > YearMonth.of(near, month).lengthOfMonth()) {
            return lexical;
        }
        Integer offsetMinutes = zone.isEmpty() || zone.equals("Z") ? Integer.valueOf(0) : offsetMinutes(zone);
        if (offsetMinutes == null) {
            return lexical;
        }
        LocalDateTime time = LocalDateTime.of(near, month, day, midnight ? 0 : hour, minute, second)
                .plusDays(midnight ? 1 : 0)
                .minusMinutes(offsetMinutes);
        BigInteger reckoned = year.add(BigInteger.valueOf(time.getYear() - near));
        return yearForm(reckoned.signum() <= 0 ? reckoned.subtract(BigInteger.ONE) : reckoned)
                + String.format(
                        Locale.ROOT,
                        "-%02d-%02dT%02d:%02d:%02d",
                        time.getMonthValue(),
                        time.getDayOfMonth(),
                        time.getHour(),
                        time.getMinute(),
                        time.getSecond())
                + (fraction.isEmpty() ? "" : "." + fraction)
                + (zone.isEmpty() ? "" : "Z");
    }

    private static @Nullable Integer offsetMinutes(String zone) {
        int hours = Integer.parseInt(zone.substring(1, 3));
        int minutes = Integer.parseInt(zone.substring(4, 6));
        if (minutes > 59 || hours * 60 + minutes > 14 * 60) {
            return null;
        }
        return (zone.charAt(0) == '-' ? -1 : 1) * (hours * 60 + minutes);
    }

    private static String yearForm(BigInteger year) {
        String digits = year.abs().toString();
        return (year.signum() < 0 ? "-" : "") + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }

    private static String withoutLeadingZeros(String digits) {
        int start = 0;
        while (start < digits.length() - 1 && digits.charAt(start) == '0') {
            start++;
        }
        return digits.isEmpty() ? "0" : digits.substring(start);
    }

    private static String withoutTrailingZeros(String digits) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '0') {
            end--;
        }
        return digits.substring(0, end);
    }
}
