// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;

/**
 * A look at Turtle or N-Triples before Jena's parser sees it: refuses what that parser would take, or die of.
 *
 * <p>That is: nesting deeper than the stack, escapes of what is no Unicode character (the tokenizer passes them on, and
 * they end up as substitute characters), {@code <_:b>} for a blank node, IRIs that a browser would execute, and triples
 * within triples.
 */
final class TurtleScan {

    private final String text;
    private final int nestingMax;
    private int nesting;
    private int at;

    private TurtleScan(String text, int nestingMax) {
        this.text = text;
        this.nestingMax = nestingMax;
    }

    static void check(String text, int nestingMax) {
        new TurtleScan(text, nestingMax).run();
    }

    private void run() {
        while (at < text.length()) {
            char c = text.charAt(at);
            switch (c) {
                case '#' -> skipComment();
                case '<' -> iri();
                case '"', '\'' -> string(c);
                case '[', '(' -> open();
                case ']', ')' -> {
                    nesting--;
                    at++;
                }
                case '{', '}' -> throw complaint(at, "'" + c + "' (graphs and annotations are not Turtle 1.1)");
                // An escape in a local name: the character after it is no bracket and begins no comment.
                case '\\' -> at += 2;
                default -> at++;
            }
        }
    }

    private void open() {
        if (++nesting > nestingMax) {
            throw complaint(at, "nested deeper than " + nestingMax + " levels");
        }
        at++;
    }

    private void skipComment() {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
    }

    private void iri() {
        int start = at;
        if (text.startsWith("<<", at)) {
            throw complaint(at, "'<<' (triples within triples are not Turtle 1.1)");
        }
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
            if (at >= text.length()) {
                throw complaint(start, "'<' without '>'");
            }
            char c = text.charAt(at);
            if (c == '>') {
                at++;
                break;
            }
            if (c == '\\') {
                unicodeEscape(value);
            } else if (c <= 0x20) {
                throw complaint(at, "a blank or control character within an IRI");
            } else {
                value.append(c);
                at++;
            }
        }
        checkIri(value.toString(), start);
    }

    private void checkIri(String iri, int start) {
        if (iri.startsWith("_:")) {
            throw complaint(start, "<" + iri + "> is no IRI (a blank node is written without brackets)");
        }
        int colon = iri.indexOf(':');
        if (colon > 0 && iri.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")) {
            try {
                new Iri(iri);
            } catch (InvalidArgument e) {
                throw complaint(start, "<" + iri + "> " + e.reason());
            }
        }
        for (int i = 0; i < iri.length(); i++) {
            char c = iri.charAt(i);
            if (c <= 0x20 || "<>\"{}|\\^`".indexOf(c) >= 0) {
                throw complaint(start, "<" + iri + "> holds a character that no IRI may hold");
            }
        }
    }

    private void string(char quote) {
        int start = at;
        boolean isLong = at + 2 < text.length() && text.charAt(at + 1) == quote && text.charAt(at + 2) == quote;
        at += isLong ? 3 : 1;
        StringBuilder ignored = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\') {
                escape(ignored);
                ignored.setLength(0);
            } else if (c != quote) {
                if (!isLong && (c == '\n' || c == '\r')) {
                    throw complaint(at, "a line break within a string");
                }
                at++;
            } else if (!isLong) {
                at++;
                return;
            } else if (at + 2 < text.length() && text.charAt(at + 1) == quote && text.charAt(at + 2) == quote) {
                at += 3;
                return;
            } else {
                at++;
            }
        }
        throw complaint(start, "a string that does not end");
    }

    private void escape(StringBuilder out) {
        char kind = at + 1 < text.length() ? text.charAt(at + 1) : '\0';
        if (kind != 'u' && kind != 'U' && "tbnrf\"'\\".indexOf(kind) >= 0) {
            at += 2;
        } else {
            unicodeEscape(out);
        }
    }

    private void unicodeEscape(StringBuilder out) {
        char kind = at + 1 < text.length() ? text.charAt(at + 1) : '\0';
        int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
        if (digits == 0) {
            throw complaint(at, "a backslash that begins no escape");
        }
        int end = at + 2 + digits;
        long value = end > text.length() ? -1 : 0;
        for (int i = at + 2; i < end && value >= 0; i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            value = digit < 0 ? -1 : value * 16 + digit;
        }
        if (value < 0) {
            throw complaint(at, "\\" + kind + " without " + digits + " hexadecimal digits");
        }
        if (value > Character.MAX_CODE_POINT
                || (value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE)) {
            throw complaint(at, "the escape " + text.substring(at, end) + " stands for no Unicode character");
        }
        out.appendCodePoint((int) value);
        at = end;
    }

    private BadDocument complaint(int offset, String what) {
        return BadDocument.at(text, offset, what);
    }
}
