// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;

/** Checks of configuration values: a refusal shows the key, the value and the legal range. */
final class Ranges {

    private Ranges() {}

    static void check(String key, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(key + " " + value + " is not within " + min + ".." + max);
        }
    }

    static void check(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(key + " " + value + " is not within " + min + ".." + max);
        }
    }

    static void check(String key, double value, double min, double max) {
        if (!(value >= min && value <= max)) { // also refuses NaN
            throw new IllegalArgumentException(key + " " + value + " is not within " + min + ".." + max);
        }
    }
}
