// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

/**
 * A look at JSON before the JSON-LD parser sees it: refuses nesting deeper than the stack and strings that are not
 * Unicode, which that parser would take.
 */
final class JsonScan {

    private JsonScan() {}

    static void check(String text, int nestingMax) {
        int nesting = 0;
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                at = afterString(text, at);
                continue;
            }
            if (c == '{' || c == '[') {
                if (++nesting > nestingMax) {
                    throw BadDocument.at(text, at, "nested deeper than " + nestingMax + " levels");
                }
            } else if (c == '}' || c == ']') {
                nesting--;
            }
            at++;
        }
    }

    private static int afterString(String text, int start) {
        int at = start + 1;
        int highSurrogateAt = -1;
        while (at < text.length()) {
            char c = text.charAt(at);
            int next = at + 1;
            int unit = c;
            if (c == '\\' && next < text.length()) {
                unit = text.charAt(next) == 'u' ? unit(text, at) : -1;
                next = at + (text.charAt(next) == 'u' ? 6 : 2);
            }
            boolean low = unit >= Character.MIN_LOW_SURROGATE && unit <= Character.MAX_LOW_SURROGATE;
            if (low != highSurrogateAt >= 0) {
                int bad = low ? at : highSurrogateAt;
                throw BadDocument.at(text, bad, "half of a surrogate pair, which stands for no Unicode character");
            }
            boolean high = unit >= Character.MIN_HIGH_SURROGATE && unit <= Character.MAX_HIGH_SURROGATE;
            highSurrogateAt = high ? at : -1;
            at = next;
            if (c == '"') {
                return at;
            }
        }
        throw BadDocument.at(text, start, "a string that does not end");
    }

    private static int unit(String text, int backslash) {
        if (backslash + 6 <= text.length()) {
            String digits = text.substring(backslash + 2, backslash + 6);
            if (digits.matches("[0-9A-Fa-f]{4}")) {
                return Integer.parseInt(digits, 16);
            }
        }
        throw BadDocument.at(text, backslash, "\\u without 4 hexadecimal digits");
    }
}
