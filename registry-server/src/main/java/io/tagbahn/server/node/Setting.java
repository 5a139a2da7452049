// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One option of a node: its key, what values it takes, and what it is where nothing is said.
 *
 * @param min least legal number, in bytes, milliseconds or pieces; 0 and unused where the value is no number
 * @param max largest legal number
 */
record Setting(String key, Kind kind, String byDefault, long min, long max, String meaning) {

    /** What values look like. */
    enum Kind {
        TEXT("text"),
        ADDRESS("HOST:PORT"),
        PATH("path"),
        COUNT("number"),
        BYTES("size"),
        DURATION("duration");

        private final String shown;

        Kind(String shown) {
            this.shown = shown;
        }

        @Override
        public String toString() {
            return shown;
        }

        boolean isNumeric() {
            return this == COUNT || this == BYTES || this == DURATION;
        }
    }

    private record Unit(String name, long factor) {}

    /** Longer names first, so that none hides behind its own end. */
    private static final List<Unit> SIZES = List.of(
            new Unit("kib", 1L << 10),
            new Unit("mib", 1L << 20),
            new Unit("gib", 1L << 30),
            new Unit("kb", 1_000),
            new Unit("mb", 1_000_000),
            new Unit("gb", 1_000_000_000),
            new Unit("b", 1),
            new Unit("", 1));

    private static final List<Unit> TIMES = List.of(
            new Unit("ms", 1),
            new Unit("s", 1_000),
            new Unit("m", 60_000),
            new Unit("h", 3_600_000),
            new Unit("d", 86_400_000));

    private static final List<Unit> PIECES = List.of(new Unit("", 1));

    static Setting text(String key, String byDefault, String meaning) {
        return new Setting(key, Kind.TEXT, byDefault, 0, 0, meaning);
    }

    static Setting address(String key, String byDefault, String meaning) {
        return new Setting(key, Kind.ADDRESS, byDefault, 0, 0, meaning);
    }

    static Setting path(String key, String byDefault, String meaning) {
        return new Setting(key, Kind.PATH, byDefault, 0, 0, meaning);
    }

    static Setting count(String key, long byDefault, long min, long max, String meaning) {
        return new Setting(key, Kind.COUNT, Long.toString(byDefault), min, max, meaning);
    }

    static Setting bytes(String key, String byDefault, long min, long max, String meaning) {
        return new Setting(key, Kind.BYTES, byDefault, min, max, meaning);
    }

    static Setting duration(String key, String byDefault, Duration min, Duration max, String meaning) {
        return new Setting(key, Kind.DURATION, byDefault, min.toMillis(), max.toMillis(), meaning);
    }

    /**
     * The number that a text stands for.
     *
     * @throws InvalidConfig where it is none, or out of range
     */
    long number(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        for (Unit unit : units()) {
            String digits = lower.substring(
                            0, Math.max(0, lower.length() - unit.name().length()))
                    .strip();
            if (lower.endsWith(unit.name())
                    && !digits.isEmpty()
                    && digits.length() <= 30
                    && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                BigInteger number = new BigInteger(digits).multiply(BigInteger.valueOf(unit.factor()));
                if (number.compareTo(BigInteger.valueOf(min)) < 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
                    break;
                }
                return number.longValueExact();
            }
        }
        throw new InvalidConfig(key, text, legal() + " is legal" + hint());
    }

    private List<Unit> units() {
        return switch (kind) {
            case BYTES -> SIZES;
            case DURATION -> TIMES;
            case COUNT -> PIECES;
            case TEXT, ADDRESS, PATH -> throw new IllegalStateException(key + " is no number");
        };
    }

    private String hint() {
        return switch (kind) {
            case BYTES -> " (a number of bytes, or with a unit: kB, MB, GB, KiB, MiB, GiB)";
            case DURATION -> " (a number with a unit: ms, s, m, h, d)";
            case COUNT, TEXT, ADDRESS, PATH -> "";
        };
    }

    /** The legal range, as people write it. */
    String legal() {
        return switch (kind) {
            case COUNT, BYTES -> min + ".." + max;
            case DURATION -> duration(min) + ".." + duration(max);
            case TEXT, ADDRESS, PATH -> "";
        };
    }

    private static String duration(long millis) {
        for (int i = TIMES.size() - 1; i > 0; i--) {
            Unit unit = TIMES.get(i);
            if (millis >= unit.factor() && millis % unit.factor() == 0) {
                return millis / unit.factor() + unit.name();
            }
        }
        return millis + "ms";
    }
}
