// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ontology;

import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.RdfFormat;

/** A document that was read and is not in force, and what would be with it. */
public final class OntologyDraft {

    private final Ontology ontology;
    private final byte[] document;
    private final RdfFormat format;
    private final Closure before;
    private final Closure after;

    OntologyDraft(Ontology ontology, byte[] document, RdfFormat format, Closure before, Closure after) {
        this.ontology = ontology;
        this.document = document;
        this.format = format;
        this.before = before;
        this.after = after;
    }

    public Ontology ontology() {
        return ontology;
    }

    /** Its bytes, which nobody may change. */
    public byte[] document() {
        return document;
    }

    public RdfFormat format() {
        return format;
    }

    /** What is in force without it. */
    public Closure before() {
        return before;
    }

    /** What would be in force with it. */
    public Closure after() {
        return after;
    }
}
