// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.InvalidArgument;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Checks on settings and on what members say of themselves. */
final class Checks {

    private Checks() {}

    static void range(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new InvalidArgument(key, value + " is not within " + min + ".." + max);
        }
    }

    static void range(String key, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new InvalidArgument(key, value + " is not within " + min + ".." + max);
        }
    }

    /** Refuses text that is too short or too long in UTF-8, no Unicode, or holds a control character. */
    static int text(String field, String text, int bytesMin, int bytesMax) {
        // A char is at least one byte: refuse the huge before encoding it.
        int bytes = text.length() > bytesMax ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < bytesMin || bytes > bytesMax) {
            throw new InvalidArgument(field, bytes + " bytes of UTF-8 are not within " + bytesMin + ".." + bytesMax);
        }
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.SURROGATE) {
                throw new InvalidArgument(field, String.format("holds U+%04X at offset %d", c, i));
            }
            i += Character.charCount(c);
        }
        return bytes;
    }
}
