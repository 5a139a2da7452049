// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** References to IRIs relative to a base, resolved as RFC 3986 (section 5.2) says, without normalising anything else. */
final class IriReference {

    // Appendix B of the RFC.
    private static final Pattern PARTS = Pattern.compile(
            "(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?", Pattern.DOTALL);

    private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*", Pattern.DOTALL);

    private IriReference() {}

    static boolean isAbsolute(String text) {
        return ABSOLUTE.matcher(text).matches();
    }

    static String resolve(String base, String reference) {
        Matcher b = parts(base);
        Matcher r = parts(reference);
        if (r.group(1) != null) {
            return compose(r.group(1), r.group(2), withoutDots(r.group(3)), r.group(4), r.group(5));
        }
        if (r.group(2) != null) {
            return compose(b.group(1), r.group(2), withoutDots(r.group(3)), r.group(4), r.group(5));
        }
        String path = r.group(3);
        if (path.isEmpty()) {
            String query = r.group(4) != null ? r.group(4) : b.group(4);
            return compose(b.group(1), b.group(2), b.group(3), query, r.group(5));
        }
        if (!path.startsWith("/")) {
            String basePath = b.group(3);
            path = b.group(2) != null && basePath.isEmpty()
                    ? "/" + path
                    : basePath.substring(0, basePath.lastIndexOf('/') + 1) + path;
        }
        return compose(b.group(1), b.group(2), withoutDots(path), r.group(4), r.group(5));
    }

    private static Matcher parts(String text) {
        Matcher matcher = PARTS.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("the pattern takes any text, but not '" + text + "'");
        }
        return matcher;
    }

    private static String compose(
            @Nullable String scheme,
            @Nullable String authority,
            String path,
            @Nullable String query,
            @Nullable String fragment) {
        return (scheme == null ? "" : scheme + ":")
                + (authority == null ? "" : "//" + authority)
                + path
                + (query == null ? "" : "?" + query)
                + (fragment == null ? "" : "#" + fragment);
    }

    /** The path without its segments {@code .} and {@code ..} (section 5.2.4). */
    private static String withoutDots(String path) {
        StringBuilder out = new StringBuilder(path.length());
        String in = path;
        while (!in.isEmpty()) {
            if (in.startsWith("../")) {
                in = in.substring(3);
            } else if (in.startsWith("./")) {
                in = in.substring(2);
            } else if (in.startsWith("/./")) {
                in = in.substring(2);
            } else if (in.equals("/.")) {
                in = "/";
            } else if (in.startsWith("/../") || in.equals("/..")) {
                in = "/" + in.substring(Math.min(4, in.length()));
                out.setLength(Math.max(0, out.lastIndexOf("/")));
            } else if (in.equals(".") || in.equals("..")) {
                in = "";
            } else {
                int end = in.indexOf('/', 1);
                end = end < 0 ? in.length() : end;
                out.append(in, 0, end);
                in = in.substring(end);
            }
        }
        return out.toString();
    }
}
