// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import io.tagbahn.model.Statement;
import io.tagbahn.model.TagWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What domains and ranges say against a statement. They decide nothing: a statement that they speak against is registered
 * and matches like any other.
 */
final class Contradictions {

    private Contradictions() {}

    static List<TagWarning> of(Closure closure, Statement statement) {
        List<TagWarning> found = new ArrayList<>();
        String property = statement.predicate().value();
        Set<String> domains = closure.domains(property);
        if (!domains.isEmpty() && isOutside(closure, statement.subject(), domains)) {
            found.add(new TagWarning(
                    statement.spelling(),
                    statement.subject() + " is no " + listed(domains) + ", of which " + statement.predicate()
                            + " is said (rdfs:domain)"));
        }
        Set<String> ranges = closure.ranges(property);
        if (!ranges.isEmpty() && statement.object() instanceof Iri object && isOutside(closure, object, ranges)) {
            found.add(new TagWarning(
                    statement.spelling(),
                    object + " is no " + listed(ranges) + ", which " + statement.predicate()
                            + " leads to (rdfs:range)"));
        }
        return found;
    }

    /** Whether a term that documents know is neither one of the classes, nor below one, nor an instance of one, nor above. */
    private static boolean isOutside(Closure closure, Iri term, Set<String> classes) {
        if (!closure.knows(term)) {
            return false; // which is told by itself
        }
        Set<String> answered = closure.answersFor(term);
        for (String named : classes) {
            if (Vocabulary.isReserved(named) || answered.contains("<" + named + ">")) {
                return false;
            }
            // "Works" of which some may be books: not said to be, and not said not to be.
            if (closure.answersFor(new Iri(named)).contains(term.ntriples())) {
                return false;
            }
        }
        return true;
    }

    private static String listed(Set<String> classes) {
        return classes.stream()
                .sorted()
                .limit(3)
                .map(name -> "<" + name + ">")
                .reduce((one, other) -> one + " or " + other)
                .orElse("");
    }
}
