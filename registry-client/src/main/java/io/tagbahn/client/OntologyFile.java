// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Iri;
import io.tagbahn.semantics.RdfFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An ontology's document on its way to the registry. */
public final class OntologyFile {

    private final Iri iri;
    private final RdfFormat format;
    private final byte[] document;

    /**
     * A document in memory.
     *
     * @param iri under which it is put, and the base of its relative IRIs
     * @param document not copied: nobody may change it from now on
     */
    public OntologyFile(Iri iri, RdfFormat format, byte[] document) {
        this.iri = iri;
        this.format = format;
        this.document = document;
    }

    public Iri iri() {
        return iri;
    }

    public RdfFormat format() {
        return format;
    }

    /** Its bytes, which nobody may change. */
    public byte[] document() {
        return document;
    }

    /**
     * The document in a file, whose name's ending tells its format.
     *
     * @throws IllegalArgumentException where the ending tells none
     * @throws UncheckedIOException where it can't be read
     */
    public static OntologyFile read(Iri iri, Path file) {
        RdfFormat format = RdfFormat.ofFileName(file.toString())
                .orElseThrow(() -> new IllegalArgumentException("the ending of " + file + " tells no format"));
        try {
            return new OntologyFile(iri, format, Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return iri + ", " + document.length + " bytes of " + format.mediaType();
    }
}
