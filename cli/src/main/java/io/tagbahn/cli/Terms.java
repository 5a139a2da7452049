// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.InvalidArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The prefixes and the base by which short terms are written out in full.
 *
 * <p>What comes out is left for {@link io.tagbahn.model.Tag} and {@link io.tagbahn.model.TagPattern} to check: this
 * class knows what a person may leave out, those know what is right.
 */
final class Terms {

    /** Known without being declared; a declaration wins. */
    private static final Map<String, String> WELL_KNOWN = Map.of(
            "rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
            "rdfs", "http://www.w3.org/2000/01/rdf-schema#",
            "owl", "http://www.w3.org/2002/07/owl#",
            "xsd", "http://www.w3.org/2001/XMLSchema#",
            "skos", "http://www.w3.org/2004/02/skos/core#");

    private final Map<String, String> prefixes = new TreeMap<>(WELL_KNOWN);
    private final Optional<String> base;

    Terms(Map<String, String> declared, Optional<String> base) {
        prefixes.putAll(declared);
        this.base = base;
    }

    /**
     * A tag: a statement, an IRI, or a name; bare IRIs and names are left alone. Text is a statement where its first term is in
     * brackets or has a declared prefix and more follows; a word whose prefix is not declared is an IRI by itself
     * ({@code urn:x}, {@code orders:v1}).
     *
     * @throws InvalidArgument with field {@code tag}
     */
    String tag(String text) {
        String trimmed = text.strip();
        boolean bracketed = trimmed.startsWith("<");
        if (!bracketed && !trimmed.startsWith(":") && !hasDeclaredPrefix(trimmed)) {
            return text;
        }
        List<String> terms = new TermScanner("tag", trimmed).all();
        return String.join(" ", terms);
    }

    /**
     * A concept: an absolute IRI, bare or in brackets, or one with a declared prefix.
     *
     * @throws InvalidArgument with field {@code concept}
     */
    String concept(String text) {
        String trimmed = text.strip();
        if (!trimmed.startsWith("<") && !trimmed.startsWith(":") && !hasDeclaredPrefix(trimmed)) {
            return trimmed;
        }
        List<String> terms = new TermScanner("concept", trimmed).all();
        if (terms.size() != 1) {
            throw new InvalidArgument("concept", "is one IRI; give three terms with --statement");
        }
        return terms.get(0);
    }

    /**
     * A statement: three terms, each of which may be {@code *}.
     *
     * @throws InvalidArgument with field {@code statement}
     */
    String statement(String text) {
        List<String> terms = new TermScanner("statement", text.strip()).all();
        if (terms.size() != 3) {
            throw new InvalidArgument(
                    "statement", "has " + terms.size() + " terms, not three (ask for a concept with --concept)");
        }
        return String.join(" ", terms);
    }

    /** A text with N-Triples terms as people like to read it: {@code :Livro} for {@code <http://example.org/obras#Livro>}. */
    String shortened(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = at + 1;
            if (c == '<') {
                int close = text.indexOf('>', at);
                end = close < 0 ? text.length() : close + 1;
                out.append(shortIri(text.substring(at, end)));
            } else if (c == '"') {
                end = literalEnd(text, at);
                out.append(text, at, end);
            } else {
                out.append(c);
            }
            at = end;
        }
        return out.toString();
    }

    private String shortIri(String bracketed) {
        if (bracketed.equals("<" + WELL_KNOWN.get("rdf") + "type>")) {
            return "a";
        }
        for (Map.Entry<String, String> entry : prefixes.entrySet()) {
            String start = "<" + entry.getValue();
            if (bracketed.startsWith(start)) {
                String local = bracketed.substring(start.length(), bracketed.length() - 1);
                if (!local.isEmpty() && local.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_')) {
                    return entry.getKey() + ":" + local;
                }
            }
        }
        return bracketed;
    }

    private boolean hasDeclaredPrefix(String text) {
        int colon = text.indexOf(':');
        return colon >= 0 && prefixes.containsKey(text.substring(0, colon)) && !text.startsWith("//", colon + 1);
    }

    /** The offset after the closing quote of the literal that begins at an offset. */
    private static int literalEnd(String text, int start) {
        int at = start + 1;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, text.length());
    }

    /** A cursor over the terms of one text, which it writes out as N-Triples. */
    private final class TermScanner {

        private final String field;
        private final String text;
        private int at;

        TermScanner(String field, String text) {
            this.field = field;
            this.text = text;
        }

        List<String> all() {
            List<String> terms = new ArrayList<>(3);
            while (skipBlanks() && !atFinalDot(terms)) {
                terms.add(next(terms.size()));
            }
            return terms;
        }

        private boolean skipBlanks() {
            while (at < text.length() && isBlank(text.charAt(at))) {
                at++;
            }
            return at < text.length();
        }

        /** True at a dot after the third term that nothing but a comment follows. */
        private boolean atFinalDot(List<String> terms) {
            if (terms.size() != 3 || text.charAt(at) != '.') {
                return false;
            }
            String rest = text.substring(at + 1).strip();
            return rest.isEmpty() || rest.startsWith("#");
        }

        private String next(int position) {
            int start = at;
            char c = text.charAt(at);
            if (c == '<') {
                return bracketed();
            }
            if (c == '"') {
                return literal();
            }
            String word = word();
            if (word.equals("*") || (word.equals("a") && position == 1) || word.startsWith("_:")) {
                return word;
            }
            return prefixed(word, start);
        }

        private String bracketed() {
            int close = text.indexOf('>', at);
            if (close < 0) {
                throw new InvalidArgument(field, "holds '<' without '>' at offset " + at);
            }
            String iri = text.substring(at + 1, close);
            at = close + 1;
            if (IriReference.isAbsolute(iri) || iri.startsWith("_:")) {
                return "<" + iri + ">";
            }
            String against = base.orElseThrow(() ->
                    new InvalidArgument(field, "<" + iri + "> is relative: give --base IRI, or write the IRI in full"));
            return "<" + IriReference.resolve(against, iri) + ">";
        }

        private String literal() {
            int end = literalEnd(text, at);
            String quoted = text.substring(at, end);
            at = end;
            if (!text.startsWith("^^", at)) {
                return text.startsWith("@", at) ? quoted + word() : quoted;
            }
            at += 2;
            int start = at;
            if (at < text.length() && text.charAt(at) == '<') {
                return quoted + "^^" + bracketed();
            }
            return quoted + "^^" + prefixed(word(), start);
        }

        private String word() {
            int start = at;
            while (at < text.length() && !isBlank(text.charAt(at)) && "<\"".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            // Nothing that stands without brackets can end in a dot: this one ends the statement.
            if (at - start > 1 && text.charAt(at - 1) == '.') {
                at--;
            }
            return text.substring(start, at);
        }

        private String prefixed(String word, int offset) {
            int colon = word.indexOf(':');
            if (colon < 0) {
                throw new InvalidArgument(
                        field,
                        "'" + word + "' at offset " + offset
                                + " is no term: write an IRI in <>, PREFIX:NAME, or a literal in \"\"");
            }
            String prefix = word.substring(0, colon);
            String namespace = prefixes.get(prefix);
            if (namespace == null) {
                throw new InvalidArgument(
                        field,
                        "the prefix '" + prefix + ":' is not declared: give --prefix " + prefix
                                + "=IRI, or write the IRI in full, in <>");
            }
            return "<" + namespace + word.substring(colon + 1) + ">";
        }

        private static boolean isBlank(char c) {
            return c == ' ' || c == '\t';
        }
    }
}
