// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Comparator;

/** Checks on text that comes from outside, shared by the values of this package. */
final class Text {

    /** The order of code points, which is that of UTF-8 bytes; String's own puts planes 1 and up before U+E000. */
    static final Comparator<String> CODE_POINT_ORDER = Text::compareCodePoints;

    private Text() {}

    /** Length of the text in bytes of UTF-8; -1 where it holds a lone surrogate and so has no UTF-8 form. */
    static int utf8Bytes(String text) {
        int bytes = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return -1;
            }
        }
        return bytes;
    }

    /** Refuses text that is empty, too long in UTF-8, not Unicode, or holds a control or line-separating character. */
    static String checked(String field, String text, int bytesMax) {
        if (text.isEmpty()) {
            throw new InvalidArgument(field, "empty; 1.." + bytesMax + " bytes of UTF-8 are allowed");
        }
        // A char is at least one byte: refuse the huge before looking at each of its characters.
        int bytes = text.length() > bytesMax ? text.length() : utf8Bytes(text);
        if (bytes > bytesMax) {
            throw new InvalidArgument(field, "longer than " + bytesMax + " bytes of UTF-8");
        }
        if (bytes < 0) {
            throw new InvalidArgument(field, "holds a lone surrogate, which is no Unicode character");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isControl(c)) {
                throw new InvalidArgument(field, "holds the control character " + codePoint(c) + " at offset " + i);
            }
        }
        return text;
    }

    static boolean isControl(char c) {
        return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == '\u2028' || c == '\u2029';
    }

    /** Whether the two characters at an offset are a surrogate pair in order. */
    static boolean isPairAt(String text, int at) {
        return at + 1 < text.length()
                && Character.isHighSurrogate(text.charAt(at))
                && Character.isLowSurrogate(text.charAt(at + 1));
    }

    /** The value of an ASCII hexadecimal digit; -1 for any other character. */
    static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static int compareCodePoints(String a, String b) {
        // Without pairs characters compare as code points do, and String's own comparison is many times as fast.
        if (isWithoutPairs(a) && isWithoutPairs(b)) {
            return a.compareTo(b);
        }
        int shared = Math.min(a.length(), b.length());
        for (int i = 0; i < shared; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean surrogateX = Character.isSurrogate(x);
                boolean surrogateY = Character.isSurrogate(y);
                return surrogateX == surrogateY ? Character.compare(x, y) : surrogateX ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /** Costs nothing for text of ISO 8859-1, which is nearly all of it. */
    private static boolean isWithoutPairs(String text) {
        return text.codePointCount(0, text.length()) == text.length();
    }

    static boolean hasOuterBlank(String text) {
        return !text.isEmpty() && (isBlank(text.codePointAt(0)) || isBlank(text.codePointBefore(text.length())));
    }

    static String codePoint(int c) {
        return String.format("U+%04X", c);
    }

    private static boolean isBlank(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }
}
