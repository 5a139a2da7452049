// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** A document as it was put. */
public final class OntologyDocument {

    private final OntologyInfo info;
    private final byte[] document;
    private final String mediaType;

    /** @param document not copied: nobody may change it from now on */
    public OntologyDocument(OntologyInfo info, byte[] document, String mediaType) {
        this.info = info;
        this.document = document;
        this.mediaType = mediaType;
    }

    public OntologyInfo info() {
        return info;
    }

    /** Its bytes, which nobody may change. */
    public byte[] document() {
        return document;
    }

    public String mediaType() {
        return mediaType;
    }

    @Override
    public String toString() {
        return info.iri() + ", " + document.length + " bytes of " + mediaType;
    }
}
