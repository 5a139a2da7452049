// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;

/** Checks of configuration values: a refusal shows the key, the value and the legal range. */
final class Limits {

    static final Duration TIME_MIN = Duration.ofMillis(1);
    static final Duration TIME_MAX = Duration.ofHours(1);

    private Limits() {}

    static void check(String key, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(key + " " + value + " is not within " + min + ".." + max);
        }
    }

    static void check(String key, double value, double min, double max) {
        if (!(value >= min && value <= max)) { // also refuses NaN
            throw new IllegalArgumentException(key + " " + value + " is not within " + min + ".." + max);
        }
    }
}
