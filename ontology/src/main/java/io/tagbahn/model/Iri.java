// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import org.jspecify.annotations.Nullable;

/**
 * An absolute IRI (RFC 3987). Two are equal where all their characters are.
 *
 * <p>Refused besides what the RFC forbids: http and https without a host, and the schemes that a browser would execute
 * (javascript, vbscript, data), because tags are shown as links.
 */
public record Iri(String value) implements Tag, Term {

    private static final String FORBIDDEN = "<>\"{}|\\^`";
    private static final String[] EXECUTABLE_SCHEMES = {"javascript", "vbscript", "data"};
    private static final boolean[] LEGAL_ASCII = legalAscii();

    /** @throws InvalidArgument with field {@code iri} */
    public Iri {
        String problem = problem(value);
        if (problem != null) {
            throw new InvalidArgument("iri", problem);
        }
    }

    @Override
    public String spelling() {
        return value;
    }

    @Override
    public String ntriples() {
        return "<" + value + ">";
    }

    @Override
    public String toString() {
        return ntriples();
    }

    /** What is wrong with a text as an absolute IRI, or null where it is one. */
    static @Nullable String problem(String text) {
        int colon = schemeEnd(text);
        if (colon < 0) {
            return text.startsWith("_:")
                    ? "is a blank node, which means nothing outside its document"
                    : "is no absolute IRI: it has no scheme";
        }
        int length = text.length();
        for (int i = colon + 1; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                if (!LEGAL_ASCII[c]) {
                    return illegal(c, i);
                }
                if (c == '%' && !isHexPair(text, i + 1)) {
                    return "holds a percent sign without two hexadecimal digits at offset " + i;
                }
            } else if (Character.isSurrogate(c)) {
                if (!Text.isPairAt(text, i)) {
                    return "holds a lone surrogate at offset " + i + ", which is no Unicode character";
                }
                i++;
            } else if (Text.isControl(c)) {
                return illegal(c, i);
            }
        }
        if (isHttp(text, colon)) {
            return httpProblem(text, colon);
        }
        return isExecutable(text, colon) ? "has a scheme that a browser would execute" : null;
    }

    /** Where the scheme of an IRI ends: the index of its colon, or -1 where there is no scheme. */
    static int schemeEnd(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (letter || (i > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
                continue;
            }
            return c == ':' && i > 0 ? i : -1;
        }
        return -1;
    }

    static boolean isExecutable(String text, int colon) {
        for (String scheme : EXECUTABLE_SCHEMES) {
            if (colon == scheme.length() && text.regionMatches(true, 0, scheme, 0, colon)) {
                return true;
            }
        }
        return false;
    }

    static boolean isHttp(String text, int colon) {
        return (colon == 4 || colon == 5) && text.regionMatches(true, 0, "https", 0, colon);
    }

    static boolean isHexPair(String text, int at) {
        return at + 1 < text.length() && Text.hexDigit(text.charAt(at)) >= 0 && Text.hexDigit(text.charAt(at + 1)) >= 0;
    }

    /** Where the authority that begins at an offset ends. */
    static int authorityEnd(String text, int start) {
        int length = text.length();
        for (int end = start; end < length; end++) {
            char c = text.charAt(end);
            if (c == '/' || c == '?' || c == '#') {
                return end;
            }
        }
        return Math.max(start, length);
    }

    private static @Nullable String httpProblem(String text, int colon) {
        if (!text.startsWith("//", colon + 1)) {
            return "has no host";
        }
        int start = colon + 3;
        int end = authorityEnd(text, start);
        int host = Math.max(start, text.lastIndexOf('@', end - 1) + 1);
        int port = host < end && text.charAt(host) == '[' ? text.indexOf(']', host) + 1 : text.indexOf(':', host);
        if (port < 0 || port > end) {
            port = end;
        }
        if (host == end || port <= host) {
            return port == 0 ? "has a host that opens a bracket and does not close it" : "has no host";
        }
        if (port < end && text.charAt(port) != ':') {
            return "has a host that goes on after its closing bracket";
        }
        for (int i = port + 1; i < end; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return "has a port that is no number";
            }
        }
        return null;
    }

    private static String illegal(char c, int offset) {
        String shown = c > 0x20 && c < 0x7F ? "'" + c + "'" : Text.codePoint(c);
        return "holds " + shown + " at offset " + offset + ", which no IRI may hold";
    }

    private static boolean[] legalAscii() {
        boolean[] legal = new boolean[0x80];
        for (char c = 0x21; c < 0x7F; c++) {
            legal[c] = FORBIDDEN.indexOf(c) < 0;
        }
        return legal;
    }
}
