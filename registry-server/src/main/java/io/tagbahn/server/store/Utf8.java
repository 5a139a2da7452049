// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.Tag;
import java.util.Comparator;

/** Order and length of text as its UTF-8 bytes have them, without making the bytes. */
public final class Utf8 {

    /**
     * The order of UTF-8 bytes, which is the order of code points. {@link String#compareTo} differs from it where a
     * character outside the basic plane meets one of U+E000..U+FFFF.
     */
    public static final Comparator<String> ORDER = Tag.SPELLING_ORDER;

    private Utf8() {}

    static int compare(String a, String b) {
        // Most that are compared here are the same texts; that is found out without looking at each character.
        return a.equals(b) ? 0 : ORDER.compare(a, b);
    }

    /** Length in bytes of UTF-8 of text that holds no lone surrogate. */
    public static int length(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // Each half of a surrogate pair counts for two of the pair's four bytes.
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }
}
