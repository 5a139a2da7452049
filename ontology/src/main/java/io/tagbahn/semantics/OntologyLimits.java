// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

/**
 * How much one document may ask for.
 *
 * @param bytesMax size of the document
 * @param triplesMax statements in it
 * @param nestingMax brackets within brackets (Turtle, JSON-LD) or elements within elements (RDF/XML, 100 at the most); the parsers of
 *     Turtle and JSON-LD recurse, and overflow a default stack at some thousands
 */
public record OntologyLimits(int bytesMax, int triplesMax, int nestingMax) {

    /** Most levels that a parser has stack for. */
    public static final int NESTING_CEILING = 500;

    /** Most characters of one IRI, once prefixes are written out: longer ones fit into no tag. */
    public static final int IRI_CHARS_MAX = 8_192;

    /** All IRIs of a document, written out, may have this many times the characters of the document. */
    private static final long IRI_CHARS_PER_CHAR = 8;

    /** What is allowed to short documents as well, most of which may be prefixes. */
    private static final long IRI_CHARS_LEAST = 1 << 20;

    public static final OntologyLimits DEFAULT = new OntologyLimits(64 << 20, 5_000_000, 250);

    public OntologyLimits {
        if (bytesMax < 1) {
            throw new IllegalArgumentException("bytesMax " + bytesMax + " < 1");
        }
        if (triplesMax < 1) {
            throw new IllegalArgumentException("triplesMax " + triplesMax + " < 1");
        }
        if (nestingMax < 1 || nestingMax > NESTING_CEILING) {
            throw new IllegalArgumentException("nestingMax " + nestingMax + " is not within 1.." + NESTING_CEILING);
        }
    }

    /** Most characters of all IRIs of a document of so many characters: a few letters may stand for a long prefix. */
    static long iriCharsMax(int documentChars) {
        return Math.max(IRI_CHARS_LEAST, IRI_CHARS_PER_CHAR * documentChars);
    }
}
