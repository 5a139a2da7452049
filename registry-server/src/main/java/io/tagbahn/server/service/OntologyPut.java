// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.Iri;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A document that somebody wants in force.
 *
 * @param document its bytes, perhaps packed
 * @param contentEncoding how it is packed
 * @param dryRun whether only to say what would change
 */
public record OntologyPut(
        Iri iri, ByteBuffer document, String mediaType, Optional<String> contentEncoding, boolean dryRun) {}
