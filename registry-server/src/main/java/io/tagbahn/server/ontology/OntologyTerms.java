// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ontology;

import io.tagbahn.semantics.OntologyLimits;
import io.tagbahn.semantics.OntologyScope;

/**
 * What a node takes in as ontologies.
 *
 * @param document how much one may ask for
 * @param documentsMax documents in all
 * @param bytesMax bytes of all documents together
 * @param scope which of a document's axioms apply
 */
public record OntologyTerms(OntologyLimits document, int documentsMax, long bytesMax, OntologyScope scope) {

    public OntologyTerms {
        if (documentsMax < 1) {
            throw new IllegalArgumentException("documentsMax " + documentsMax + " < 1");
        }
        if (bytesMax < 1) {
            throw new IllegalArgumentException("bytesMax " + bytesMax + " < 1");
        }
    }

    public static OntologyTerms defaults() {
        return new OntologyTerms(OntologyLimits.DEFAULT, 1_000, 256L << 20, OntologyScope.EVERYTHING);
    }
}
