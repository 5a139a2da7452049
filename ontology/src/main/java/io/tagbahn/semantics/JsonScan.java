// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A look at JSON before the JSON-LD parser sees it: refuses nesting deeper than the stack, strings that are not Unicode,
 * which that parser would take, and contexts by which it would make much out of little.
 */
final class JsonScan {

    private static final int NONE = -1;
    /** {@code "@context"} with each character written as an escape. */
    private static final int CONTEXT_WRITTEN_MAX = 2 + 6 * 8;
    /** Texts in contexts that need no closer look: prefixes are rarely longer. */
    private static final int CONTEXT_CHARS_USUAL = 200;

    private JsonScan() {}

    static void check(String text, int nestingMax) {
        int nesting = 0;
        int at = 0;
        int contextNesting = NONE; // of the value of the outermost @context that this is in
        boolean isContextNext = false;
        JsonContexts contexts = new JsonContexts();
        Deque<String> keys = new ArrayDeque<>(); // of the objects that this is in, within a context
        long longestOfContexts = 0;
        long strings = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                int end = afterString(text, at);
                if (contextNesting != NONE) {
                    note(contexts, keys, text, at, end);
                    longestOfContexts = Math.max(longestOfContexts, end - at - 2);
                    if (longestOfContexts > OntologyLimits.IRI_CHARS_MAX) {
                        throw BadDocument.at(
                                text,
                                at,
                                "a text of " + longestOfContexts + " characters in a context; "
                                        + OntologyLimits.IRI_CHARS_MAX + " are the most");
                    }
                } else {
                    isContextNext = isContextKey(text, at, end);
                }
                strings++;
                at = end;
                continue;
            }
            if (c == '{' || c == '[') {
                if (isContextNext) {
                    contextNesting = nesting;
                    isContextNext = false;
                }
                if (++nesting > nestingMax) {
                    throw BadDocument.at(text, at, "nested deeper than " + nestingMax + " levels");
                }
                if (contextNesting != NONE) {
                    keys.push("");
                }
            } else if (c == '}' || c == ']') {
                nesting--;
                if (contextNesting != NONE && !keys.isEmpty()) {
                    keys.pop();
                }
                if (nesting == contextNesting) {
                    contextNesting = NONE;
                    keys.clear();
                }
            }
            at++;
        }
        longestOfContexts = Math.max(longestOfContexts, contexts.longestExpansion());
        long charsMax = OntologyLimits.iriCharsMax(text.length());
        if (longestOfContexts * strings > charsMax && longestOfContexts > CONTEXT_CHARS_USUAL) {
            throw BadDocument.anywhere("a context has a text of " + longestOfContexts
                    + " characters when written out, and the document "
                    + strings + " texts, which may begin with it: written out they could have more than " + charsMax
                    + " characters, which is the most for a document of its length");
        }
    }

    /** Takes a string of a context for the key of what follows, or for the definition of the key before it. */
    private static void note(JsonContexts contexts, Deque<String> keys, String text, int start, int end) {
        String string = unescaped(text, start, end);
        int after = end;
        while (after < text.length() && Character.isWhitespace(text.charAt(after))) {
            after++;
        }
        if (after < text.length() && text.charAt(after) == ':') {
            keys.poll();
            keys.push(string);
            return;
        }
        String term = "";
        for (String key : keys) { // an @id defines the term whose object it is in
            term = key;
            if (!key.isEmpty() && !key.equals("@id")) {
                break;
            }
        }
        contexts.define(term, string);
    }

    private static String unescaped(String text, int start, int end) {
        StringBuilder plain = new StringBuilder(end - start);
        for (int at = start + 1; at < end - 1; at++) {
            char c = text.charAt(at);
            if (c == '\\' && text.charAt(at + 1) == 'u') {
                plain.append((char) unit(text, at));
                at += 5;
            } else if (c == '\\') {
                plain.append(meant(text.charAt(++at)));
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static char meant(char escaped) {
        int place = "bfnrt".indexOf(escaped);
        return place < 0 ? escaped : "\b\f\n\r\t".charAt(place);
    }

    /** Whether a string is {@code @context}, however it is written. */
    private static boolean isContextKey(String text, int start, int end) {
        if (end - start > CONTEXT_WRITTEN_MAX) {
            return false;
        }
        return unescaped(text, start, end).equals("@context");
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
