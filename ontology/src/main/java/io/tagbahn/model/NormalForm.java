// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * The normal form of IRIs (RFC 3987, section 5.3). IRIs compare character by character, so one that is not in normal
 * form is probably not what other parties write.
 */
final class NormalForm {

    private NormalForm() {}

    /** What keeps an IRI from being in normal form; empty where it is. */
    static List<String> deviations(String iri) {
        int colon = Iri.schemeEnd(iri);
        if (isPlain(iri, colon)) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        String scheme = iri.substring(0, colon);
        if (hasUpperCase(scheme)) {
            found.add("the scheme has upper-case letters");
        }
        if (iri.startsWith("//", colon + 1)) {
            checkAuthority(iri, colon, found);
        }
        checkPercent(iri, found);
        if (hasDotSegment(iri, colon)) {
            found.add("the path has a segment '.' or '..'");
        }
        if (!isAscii(iri) && !Normalizer.isNormalized(iri, Normalizer.Form.NFC)) {
            found.add("the characters are not in normal form C");
        }
        return found;
    }

    /**
     * Whether one look at each character tells that nothing can be wrong: nearly all IRIs end here, and every tag of
     * every registration comes by.
     */
    private static boolean isPlain(String iri, int colon) {
        int length = iri.length();
        int authorityEnd = iri.startsWith("//", colon + 1) ? Iri.authorityEnd(iri, colon + 3) : colon;
        for (int i = 0; i < authorityEnd; i++) {
            char c = iri.charAt(i);
            if ((c >= 'A' && c <= 'Z') || (c == ':' && i > colon)) {
                return false;
            }
        }
        char before = ':';
        for (int i = 0; i < length; i++) {
            char c = iri.charAt(i);
            if (c >= 0x80 || c == '%' || (c == '.' && before == '/')) {
                return false;
            }
            before = c;
        }
        return true;
    }

    private static void checkAuthority(String iri, int colon, List<String> found) {
        int start = colon + 3;
        int end = Iri.authorityEnd(iri, start);
        String host = iri.substring(Math.max(start, iri.lastIndexOf('@', end - 1) + 1), end);
        if (hasUpperCase(host)) {
            found.add("the host has upper-case letters");
        }
        boolean http = iri.regionMatches(true, 0, "http:", 0, 5);
        boolean https = iri.regionMatches(true, 0, "https:", 0, 6);
        if (host.endsWith(":") || (http && host.endsWith(":80")) || (https && host.endsWith(":443"))) {
            found.add("the port is the default one and better left out");
        }
    }

    private static void checkPercent(String iri, List<String> found) {
        boolean unreserved = false;
        boolean lowerCase = false;
        for (int i = iri.indexOf('%'); i >= 0; i = iri.indexOf('%', i + 1)) {
            char high = iri.charAt(i + 1);
            char low = iri.charAt(i + 2);
            lowerCase |= (high >= 'a' && high <= 'f') || (low >= 'a' && low <= 'f');
            unreserved |= isUnreserved(Text.hexDigit(high) * 16 + Text.hexDigit(low));
        }
        if (unreserved) {
            found.add("a character is percent-encoded that need not be");
        }
        if (lowerCase) {
            found.add("a percent escape has lower-case digits");
        }
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    private static boolean hasDotSegment(String iri, int colon) {
        int start = colon + 1;
        if (iri.startsWith("//", start)) {
            start = Iri.authorityEnd(iri, start + 2);
        }
        int end = start;
        while (end < iri.length() && iri.charAt(end) != '?' && iri.charAt(end) != '#') {
            end++;
        }
        String path = iri.substring(start, end) + "/";
        return path.contains("/./") || path.contains("/../");
    }

    private static boolean hasUpperCase(String text) {
        return text.chars().anyMatch(c -> c >= 'A' && c <= 'Z');
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
