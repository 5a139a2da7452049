// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Optional;

/**
 * A cursor over a line of N-Triples terms (RDF 1.1 N-Triples), where {@code a} may stand for rdf:type and, in patterns,
 * {@code *} for any term. Every complaint names the offset of what it is about.
 */
final class TermReader {

    private final String field;
    private final String text;
    private final boolean open;
    private int at;

    /**
     * @param field what complaints are about
     * @param open whether {@code *} is a term
     */
    TermReader(String field, String text, boolean open) {
        this.field = field;
        this.text = text;
        this.open = open;
    }

    /** The next term, absent for {@code *}. */
    Optional<Iri> subject() {
        return isOpen() ? Optional.empty() : Optional.of(iri("the subject"));
    }

    /** The next term, absent for {@code *}. */
    Optional<Iri> predicate() {
        if (isOpen()) {
            return Optional.empty();
        }
        if (peek() == 'a' && (at + 1 == text.length() || " \t<\"*".indexOf(text.charAt(at + 1)) >= 0)) {
            at++;
            skipBlanks();
            return Optional.of(Statement.RDF_TYPE);
        }
        return Optional.of(iri("the predicate"));
    }

    /** The next term, absent for {@code *}. */
    Optional<Term> object() {
        if (isOpen()) {
            return Optional.empty();
        }
        return Optional.of(peek() == '"' ? literal() : iri("the object"));
    }

    boolean atEnd() {
        return at == text.length();
    }

    /** Takes the dot that may end a statement, and nothing else. */
    void end() {
        if (peek() == '.') {
            at++;
            skipBlanks();
        }
        if (!atEnd()) {
            throw complaint("has more than three terms: ", at);
        }
    }

    private boolean isOpen() {
        if (!open || peek() != '*') {
            return false;
        }
        at++;
        skipBlanks();
        return true;
    }

    private Iri iri(String role) {
        int start = at;
        if (atEnd()) {
            throw new InvalidArgument(field, "ends where " + role + " should be, at offset " + at);
        }
        if (text.startsWith("_:", at)) {
            throw complaint("holds a blank node, which means nothing outside its document,", at);
        }
        if (peek() != '<') {
            throw complaint("holds something else where " + role + " should be (an IRI in <>):", at);
        }
        int close = text.indexOf('>', at);
        if (close < 0) {
            throw complaint("holds '<' without '>'", at);
        }
        String value = text.substring(at + 1, close);
        if (value.indexOf('\\') >= 0) {
            value = unescapedIri(at + 1, close);
        }
        Iri iri;
        try {
            iri = new Iri(value);
        } catch (InvalidArgument e) {
            throw new InvalidArgument(field, "at offset " + start + ", " + role + " " + e.reason());
        }
        at = close + 1;
        skipBlanks();
        return iri;
    }

    private String unescapedIri(int from, int to) {
        StringBuilder value = new StringBuilder(to - from);
        int i = from;
        while (i < to) {
            char c = text.charAt(i);
            if (c != '\\') {
                value.append(c);
                i++;
            } else {
                i = unicodeEscape(i, value);
            }
        }
        return value.toString();
    }

    private Literal literal() {
        int start = at;
        StringBuilder lexical = new StringBuilder();
        at++;
        while (true) {
            if (atEnd()) {
                throw complaint("holds a literal that does not end", start);
            }
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                break;
            }
            if (c == '\\') {
                at = escape(at, lexical);
            } else if (Character.isISOControl(c)) {
                throw complaint("holds the control character " + Text.codePoint(c) + " (write it as an escape)", at);
            } else if (Character.isSurrogate(c)) {
                if (!Text.isPairAt(text, at)) {
                    throw complaint("holds a lone surrogate, which is no Unicode character,", at);
                }
                lexical.append(c).append(text.charAt(at + 1));
                at += 2;
            } else {
                lexical.append(c);
                at++;
            }
        }
        return typed(lexical.toString());
    }

    private Literal typed(String lexical) {
        Literal literal;
        if (peek() == '@') {
            int start = ++at;
            while (!atEnd() && isLanguageCharacter(text.charAt(at))) {
                at++;
            }
            try {
                literal = Literal.inLanguage(lexical, text.substring(start, at));
            } catch (InvalidArgument e) {
                throw new InvalidArgument(field, "at offset " + start + ", a literal " + e.reason());
            }
        } else if (text.startsWith("^^", at)) {
            at += 2;
            return Literal.of(lexical, iri("the datatype"));
        } else {
            literal = Literal.of(lexical);
        }
        skipBlanks();
        return literal;
    }

    private static boolean isLanguageCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    }

    /** Reads the escape at an offset and returns the offset after it. */
    private int escape(int offset, StringBuilder out) {
        char kind = offset + 1 < text.length() ? text.charAt(offset + 1) : '\0';
        switch (kind) {
            case 't' -> out.append('\t');
            case 'b' -> out.append('\b');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 'f' -> out.append('\f');
            case '"', '\'', '\\' -> out.append(kind);
            default -> {
                return unicodeEscape(offset, out);
            }
        }
        return offset + 2;
    }

    private int unicodeEscape(int offset, StringBuilder out) {
        char kind = offset + 1 < text.length() ? text.charAt(offset + 1) : '\0';
        int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
        if (digits == 0) {
            throw complaint("holds a backslash that begins no escape", offset);
        }
        int end = offset + 2 + digits;
        long value = end > text.length() ? -1 : 0;
        for (int i = offset + 2; i < end && value >= 0; i++) {
            int digit = Text.hexDigit(text.charAt(i));
            value = digit < 0 ? -1 : value * 16 + digit;
        }
        if (value < 0) {
            throw complaint("holds \\" + kind + " without " + digits + " hexadecimal digits", offset);
        }
        if (value > Character.MAX_CODE_POINT) {
            throw complaint("holds an escape above U+10FFFF, where Unicode ends,", offset);
        }
        if (value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE) {
            throw complaint(
                    "holds an escape of a surrogate, which is no Unicode character (write \\U and 8 digits),", offset);
        }
        out.appendCodePoint((int) value);
        return end;
    }

    private char peek() {
        return atEnd() ? '\0' : text.charAt(at);
    }

    private void skipBlanks() {
        while (!atEnd() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private InvalidArgument complaint(String what, int offset) {
        return new InvalidArgument(field, what + " at offset " + offset);
    }
}
