// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.Comparator;

/**
 * What is known of a document without its text.
 *
 * @param version grows with every put and removal of the IRI
 * @param contentHash SHA-256 of the document in hex; empty where the document was removed
 * @param mediaType of the document; empty where it was removed
 * @param bytes of the document
 */
public record OntologyHead(String iri, long version, String contentHash, String mediaType, int bytes) {

    /** Which of two changes of one IRI stands: the later one, on every node the same. */
    private static final Comparator<OntologyHead> ORDER = Comparator.comparingLong(OntologyHead::version)
            .thenComparing(OntologyHead::contentHash)
            .thenComparing(OntologyHead::mediaType);

    /** The end of a document. */
    public static OntologyHead removed(String iri, long version) {
        return new OntologyHead(iri, version, "", "", 0);
    }

    public boolean isRemoved() {
        return contentHash.isEmpty();
    }

    /** Whether this change stands over another one of the same IRI. */
    public boolean standsOver(OntologyHead other) {
        return ORDER.compare(this, other) > 0;
    }
}
