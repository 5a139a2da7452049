// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.InvalidArgument;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A syntax in which an ontology may come. */
public enum RdfFormat {
    TURTLE("text/turtle", List.of("ttl")),
    N_TRIPLES("application/n-triples", List.of("nt")),
    RDF_XML("application/rdf+xml", List.of("rdf", "owl", "xml")),
    JSON_LD("application/ld+json", List.of("jsonld", "json"));

    private final String mediaType;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> extensions;

    RdfFormat(String mediaType, List<String> extensions) {
        this.mediaType = mediaType;
        this.extensions = extensions;
    }

    public String mediaType() {
        return mediaType;
    }

    /** Endings of file names, without the dot; the usual one comes first. */
    public List<String> extensions() {
        return extensions;
    }

    /** @throws InvalidArgument with field {@code mediaType}, listing the media types that are known */
    public static RdfFormat ofMediaType(String mediaType) {
        int semicolon = mediaType.indexOf(';');
        String bare = (semicolon < 0 ? mediaType : mediaType.substring(0, semicolon)).strip();
        for (RdfFormat format : values()) {
            if (format.mediaType.equalsIgnoreCase(bare)) {
                return format;
            }
        }
        throw new InvalidArgument(
                "mediaType",
                "'" + mediaType + "' is none of text/turtle, application/n-triples, application/rdf+xml, "
                        + "application/ld+json");
    }

    /** What the ending of a file's name says. */
    public static Optional<RdfFormat> ofFileName(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        for (RdfFormat format : values()) {
            if (format.extensions.contains(extension)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }
}
