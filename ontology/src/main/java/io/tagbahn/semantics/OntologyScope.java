// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

/** Which of a document's axioms apply. The reserved vocabularies are out of reach in any case. */
public enum OntologyScope {
    /** All; those about terms of other ontologies are reported. */
    EVERYTHING,
    /** Those that put a term of the document's own namespace under another; the rest is left out and reported. */
    OWN_NAMESPACE
}
