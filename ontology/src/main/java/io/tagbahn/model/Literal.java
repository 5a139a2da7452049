// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A text with a datatype or a language, in canonical form: literals of one datatype that have the same value are equal.
 *
 * <p>The numeric types, boolean and dateTime of XML Schema 1.0 are brought to the canonical form of that
 * recommendation; text that the datatype doesn't allow stays as it is, and equals only itself.
 *
 * @param language lower case; present exactly where the datatype is rdf:langString and a language was given
 */
public record Literal(String lexical, Iri datatype, Optional<String> language) implements Term {

    static final Iri XSD_STRING = new Iri(XsdForm.XSD + "string");
    static final Iri LANG_STRING = new Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#langString");
    private static final Pattern LANGUAGE = Pattern.compile("[a-zA-Z]+(-[a-zA-Z0-9]+)*");

    /** @throws InvalidArgument with field {@code literal} where the text is not Unicode or the language is none */
    public Literal {
        if (Text.utf8Bytes(lexical) < 0) {
            throw new InvalidArgument("literal", "holds a lone surrogate, which is no Unicode character");
        }
        if (language.isPresent()) {
            if (!datatype.equals(LANG_STRING)) {
                throw new InvalidArgument("literal", "has both a language and the datatype " + datatype);
            }
            if (!LANGUAGE.matcher(language.get()).matches()) {
                throw new InvalidArgument("literal", "has the language '" + language.get() + "', which is none");
            }
            language = Optional.of(language.get().toLowerCase(Locale.ROOT));
        }
        lexical = XsdForm.canonical(lexical, datatype.value());
    }

    /** A plain text. */
    public static Literal of(String text) {
        return new Literal(text, XSD_STRING, Optional.empty());
    }

    /** A text of a datatype. */
    public static Literal of(String lexical, Iri datatype) {
        return new Literal(lexical, datatype, Optional.empty());
    }

    /** A text in a language. */
    public static Literal inLanguage(String text, String language) {
        return new Literal(text, LANG_STRING, Optional.of(language));
    }

    @Override
    public String ntriples() {
        StringBuilder out =
                new StringBuilder(lexical.length() + datatype.value().length() + 8).append('"');
        if (isPlain(lexical)) {
            out.append(lexical);
        } else {
            for (int i = 0; i < lexical.length(); i++) {
                append(out, lexical.charAt(i));
            }
        }
        out.append('"');
        if (language.isPresent()) {
            out.append('@').append(language.get());
        } else if (!datatype.equals(XSD_STRING)) {
            out.append("^^<").append(datatype.value()).append('>');
        }
        return out.toString();
    }

    /** A number of characters that {@link #ntriples} does not exceed: of the text, each may become an escape of six. */
    int ntriplesCharsMax() {
        return 6 * lexical.length()
                + datatype.value().length()
                + language.map(String::length).orElse(0)
                + 6;
    }

    @Override
    public String toString() {
        return ntriples();
    }

    /** Whether nothing in a text has to be escaped, for the usual text. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    private static void append(StringBuilder out, char c) {
        switch (c) {
            case '\t' -> out.append("\\t");
            case '\b' -> out.append("\\b");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\f' -> out.append("\\f");
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            default -> {
                if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c >= 0xFFFE) {
                    out.append(String.format("\\u%04X", (int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }
}
