// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ontology;

import io.tagbahn.peer.OntologyHead;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where documents are kept. Used by one thread at a time, but for reading. */
public interface OntologyFiles {

    /**
     * What is kept.
     *
     * @throws IOException where it can't be read at all; what is damaged is set aside and left out
     */
    List<OntologyHead> load() throws IOException;

    /** Keeps a document, or that it was removed, in place of what there was of its IRI: whole or not at all. */
    void write(OntologyHead head, byte[] document) throws IOException;

    /** The document of a head; absent where it was replaced or removed since. */
    Optional<byte[]> read(OntologyHead head) throws IOException;

    /** Documents that are gone with the process. */
    static OntologyFiles inMemory() {
        return new OntologyFiles() {
            private final Map<OntologyHead, byte[]> documents = new ConcurrentHashMap<>();

            @Override
            public List<OntologyHead> load() {
                return List.copyOf(documents.keySet());
            }

            @Override
            public void write(OntologyHead head, byte[] document) {
                documents.keySet().removeIf(kept -> kept.iri().equals(head.iri()));
                documents.put(head, document);
            }

            @Override
            public Optional<byte[]> read(OntologyHead head) {
                return Optional.ofNullable(documents.get(head));
            }
        };
    }
}
