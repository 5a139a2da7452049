// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the contexts of a JSON-LD document define, all of them taken together, for the length to which a text may grow that
 * uses them. Definitions may build on one another: with each, the text that is written out gets longer.
 */
final class JsonContexts {

    private static final String VOCABULARY = "@vocab";

    private final Map<String, List<String>> definitions = new HashMap<>();
    private long total;
    private long vocabularyChars;

    /** A definition in some context; a term may have several. */
    void define(String term, String value) {
        definitions.computeIfAbsent(term, unused -> new ArrayList<>(1)).add(value);
        total += value.length();
        if (term.equals(VOCABULARY) && value.indexOf(':') < 0) {
            vocabularyChars += value.length(); // each such vocabulary is appended to the one before
        }
    }

    /**
     * The most characters that any term may stand for. Where definitions go round in a circle, which in one context is
     * an error and in several is not, each may come in once.
     */
    long longestExpansion() {
        Map<String, Integer> open = new HashMap<>();
        Map<String, Long> longest = new HashMap<>();
        Map<String, List<Use>> uses = new HashMap<>();
        Deque<String> known = new ArrayDeque<>();
        definitions.forEach((term, values) -> {
            int waiting = 0;
            for (String value : values) {
                String base = base(term, value);
                if (base == null) {
                    longest.merge(term, (long) value.length(), Math::max);
                } else {
                    uses.computeIfAbsent(base, unused -> new ArrayList<>(1)).add(new Use(term, value.length()));
                    waiting++;
                }
            }
            open.put(term, waiting);
            if (waiting == 0) {
                known.add(term);
            }
        });
        int done = 0;
        long most = 0;
        while (!known.isEmpty()) {
            String term = known.remove();
            long chars = longest.getOrDefault(term, 0L) + (term.equals(VOCABULARY) ? vocabularyChars : 0);
            most = Math.max(most, chars);
            done++;
            for (Use use : uses.getOrDefault(term, List.of())) {
                longest.merge(use.term(), chars + use.chars(), Math::max);
                if (open.merge(use.term(), -1, Integer::sum) == 0) {
                    known.add(use.term());
                }
            }
        }
        return done < definitions.size() ? total : most;
    }

    /** A term that is defined by another and so many characters. */
    private record Use(String term, int chars) {}

    /** The term with which a value is written out; null where it stands for itself. */
    private @Nullable String base(String term, String value) {
        if (definitions.containsKey(value) && !value.equals(term)) {
            return value;
        }
        int colon = value.indexOf(':');
        String prefix = colon < 0 ? VOCABULARY : value.substring(0, colon);
        boolean isWhole = colon >= 0 && value.startsWith("//", colon + 1);
        return isWhole || prefix.equals(term) || !definitions.containsKey(prefix) ? null : prefix;
    }
}
