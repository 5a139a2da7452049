// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.ArrayList;
import java.util.List;

/** What one ontology contributes to a closure, and what of it is left out or worth telling. */
final class AxiomReader {

    /** Most warnings of one kind about one document. */
    static final int WARNINGS_MAX = 20;

    private final Ontology ontology;
    private final OntologyScope scope;
    private final String blankPrefix;
    private final List<Axiom> axioms = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private int reservedCount;
    private int foreignCount;
    private String foreignExample = "";

    /** @param blankPrefix keeps the blank nodes of this document apart from those of others */
    AxiomReader(Ontology ontology, OntologyScope scope, String blankPrefix) {
        this.ontology = ontology;
        this.scope = scope;
        this.blankPrefix = blankPrefix;
    }

    AxiomReader read() {
        ontology.stated().axioms().forEach(this::accept);
        summarise();
        return this;
    }

    List<Axiom> axioms() {
        return axioms;
    }

    List<String> warnings() {
        return warnings;
    }

    private void accept(Axiom stated) {
        Axiom axiom = stated.withBlanksOf(blankPrefix);
        if (narrowsReserved(axiom)) {
            // That a reserved term is of a reserved type is what its own vocabulary says: nothing worth telling.
            boolean declaration = axiom.kind() == AxiomKind.TYPE && Vocabulary.isReserved(axiom.object());
            if (!declaration && ++reservedCount <= WARNINGS_MAX) {
                warnings.add("left out, because it redefines a term of a reserved vocabulary: " + axiom.ntriples());
            }
            return;
        }
        if (isForeign(axiom)) {
            foreignCount++;
            if (foreignExample.isEmpty()) {
                foreignExample = axiom.ntriples();
            }
            if (scope == OntologyScope.OWN_NAMESPACE) {
                return;
            }
        }
        axioms.add(axiom);
    }

    private static boolean narrowsReserved(Axiom axiom) {
        return (axiom.narrows(axiom.subject()) && Vocabulary.isReserved(axiom.subject()))
                || (axiom.narrows(axiom.object()) && Vocabulary.isReserved(axiom.object()));
    }

    /** Whether none of the terms that an axiom puts under others is the document's own. */
    private boolean isForeign(Axiom axiom) {
        boolean subjectIsOwn = axiom.narrows(axiom.subject()) && isOwn(axiom.subject());
        boolean objectIsOwn = axiom.narrows(axiom.object()) && isOwn(axiom.object());
        return !subjectIsOwn && !objectIsOwn;
    }

    private boolean isOwn(String name) {
        if (Axiom.isBlank(name)) {
            return true;
        }
        String base = ontology.iri().value();
        if (base.endsWith("#")) {
            base = base.substring(0, base.length() - 1);
        }
        if (!name.startsWith(base)) {
            return false;
        }
        return name.length() == base.length() || base.endsWith("/") || "#/".indexOf(name.charAt(base.length())) >= 0;
    }

    private void summarise() {
        if (reservedCount > WARNINGS_MAX) {
            warnings.add("and " + (reservedCount - WARNINGS_MAX) + " more axioms about reserved terms left out");
        }
        if (foreignCount > 0) {
            String fate = scope == OntologyScope.OWN_NAMESPACE ? "left out" : "applied";
            warnings.add(fate + ": " + foreignCount + " axioms about terms outside <"
                    + ontology.iri().value() + ">, such as " + foreignExample);
        }
    }
}
