// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Map;

/**
 * An XML text with the references to its own entities written out and its DOCTYPE left blank, line for line.
 *
 * <p>Made only of text that a parser has read within the limits of {@link XmlScan}: what the entities come to is
 * bounded, they contain no markup and do not contain themselves.
 */
final class EntityExpansion {

    private final String text;
    private final Map<String, String> entities;
    private final StringBuilder out;
    private int at;

    EntityExpansion(String text, Map<String, String> entities) {
        this.text = text;
        this.entities = entities;
        this.out = new StringBuilder(text.length() + text.length() / 2);
    }

    String expanded() {
        while (at < text.length()) {
            if (text.startsWith("<!--", at)) {
                copyThrough("-->");
            } else if (text.startsWith("<![CDATA[", at)) {
                copyThrough("]]>");
            } else if (text.startsWith("<?", at)) {
                copyThrough("?>");
            } else if (text.startsWith("<!DOCTYPE", at)) {
                skipDocType();
            } else if (text.charAt(at) == '&') {
                int end = text.indexOf(';', at);
                append(text.substring(at + 1, end));
                at = end + 1;
            } else {
                out.append(text.charAt(at++));
            }
        }
        return out.toString();
    }

    private void append(String name) {
        String value = entities.get(name);
        if (value == null || name.equals("lt") || name.equals("amp")) {
            // A character reference, or one of the five names that XML knows by itself.
            out.append('&').append(name).append(';');
            return;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '&' -> {
                    int end = value.indexOf(';', i);
                    append(value.substring(i + 1, end));
                    i = end;
                }
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&apos;");
                case '>' -> out.append("&gt;");
                case '\n' -> out.append("&#10;");
                case '\r' -> out.append("&#13;");
                default -> out.append(c);
            }
        }
    }

    private void copyThrough(String end) {
        int after = text.indexOf(end, at) + end.length();
        out.append(text, at, after);
        at = after;
    }

    private void skipDocType() {
        int brackets = 0;
        while (true) {
            char c = text.charAt(at);
            if (text.startsWith("<!--", at)) {
                blankThrough("-->");
                continue;
            }
            if (text.startsWith("<?", at)) {
                blankThrough("?>");
                continue;
            }
            if (c == '"' || c == '\'') {
                blank();
                blankThrough(String.valueOf(c));
                continue;
            }
            brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
            blank();
            if (c == '>' && brackets == 0) {
                return;
            }
        }
    }

    private void blankThrough(String end) {
        int after = text.indexOf(end, at) + end.length();
        while (at < after) {
            blank();
        }
    }

    private void blank() {
        char c = text.charAt(at++);
        out.append(c == '\n' || c == '\r' ? c : ' ');
    }
}
