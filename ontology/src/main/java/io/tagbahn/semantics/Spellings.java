// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the term that was probably meant by one that nobody knows: the same name in other letters' case, with one letter
 * more, fewer, changed, or two exchanged; or the same name in another namespace.
 *
 * <p>Names are found by the hashes of what is left of them with one letter taken out (symmetric deletion): a question
 * costs a binary search for each letter, however many terms there are.
 */
final class Spellings {

    /** Letters of a name that are looked at. */
    private static final int NAME_MAX = 64;

    /** Candidates that are compared letter by letter. */
    private static final int CANDIDATES_MAX = 200;

    private static final long INDEX_MASK = 0xFFFF_FFFFL;

    private final String[] terms;
    /** The hash of a name or of part of it, above the number of the term; sorted. */
    private final long[] parts;

    Spellings(Collection<String> iris) {
        this.terms = iris.toArray(new String[0]);
        Arrays.sort(terms);
        long[] found = new long[Math.max(16, terms.length * 12)];
        int count = 0;
        for (int i = 0; i < terms.length; i++) {
            String name = name(terms[i]);
            for (int gone = -1; gone < name.length(); gone++) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, count * 2);
                }
                found[count++] = ((long) hashWithout(name, gone) << 32) | i;
            }
        }
        this.parts = Arrays.copyOf(found, count);
        Arrays.sort(parts);
    }

    /** The part of an IRI behind its last {@code #}, {@code /} or {@code :}, in lower case. */
    private static String name(String iri) {
        int at = Math.max(iri.lastIndexOf('#'), Math.max(iri.lastIndexOf('/'), iri.lastIndexOf(':')));
        String name = iri.substring(at + 1).toLowerCase(Locale.ROOT);
        return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX);
    }

    private static int hashWithout(String name, int gone) {
        int hash = 7;
        for (int i = 0; i < name.length(); i++) {
            if (i != gone) {
                hash = hash * 31 + name.charAt(i);
            }
        }
        return hash;
    }

    /** The nearest term that is known, if one is near. */
    Optional<String> nearest(String iri) {
        String name = name(iri);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        int best = -1;
        int bestDistance = Integer.MAX_VALUE;
        int compared = 0;
        for (int gone = -1; gone < name.length(); gone++) {
            long from = (long) hashWithout(name, gone) << 32;
            int at = Arrays.binarySearch(parts, from);
            for (at = at < 0 ? -at - 1 : at;
                    at < parts.length && parts[at] >> 32 == from >> 32 && compared < CANDIDATES_MAX;
                    at++) {
                int term = (int) (parts[at] & INDEX_MASK);
                compared++;
                int distance = distance(iri, name, terms[term]);
                if (distance < bestDistance || (distance == bestDistance && term < best)) {
                    best = term;
                    bestDistance = distance;
                }
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(terms[best]);
    }

    /** Another namespace counts more than another letter: a slip of the pen is likelier. Hashes may collide. */
    private static int distance(String iri, String name, String term) {
        String other = name(term);
        int letters = letters(name, other);
        if (letters > 2 || (letters > 0 && name.length() < 4)) {
            return Integer.MAX_VALUE;
        }
        boolean sameNamespace = namespace(iri).equals(namespace(term));
        if (!sameNamespace && letters > 0) {
            return Integer.MAX_VALUE;
        }
        return letters + (sameNamespace ? 0 : 4);
    }

    private static String namespace(String iri) {
        int at = Math.max(iri.lastIndexOf('#'), Math.max(iri.lastIndexOf('/'), iri.lastIndexOf(':')));
        return iri.substring(0, at + 1);
    }

    /** Letters to change, up to three. */
    private static int letters(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return Math.min(3, row[other.length()]);
    }
}
