// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.OntologyLimits;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/** Ontologies in files. */
final class Ontologies {

    private static final int BYTES_MAX = OntologyLimits.DEFAULT.bytesMax();

    private Ontologies() {}

    /**
     * Reads files, each once.
     *
     * @throws InvalidArgument naming the file, with line and column where its text is at fault
     */
    static List<Ontology> read(List<Path> files) {
        return new LinkedHashSet<>(files.stream()
                        .map(file -> file.toAbsolutePath().normalize())
                        .toList())
                .stream().map(Ontologies::read).toList();
    }

    private static Ontology read(Path file) {
        format(file); // before it is read, so that what has no known ending is not taken for missing
        return parse(file, bytes(file));
    }

    private static Ontology parse(Path file, byte[] document) {
        try {
            return new OntologyParser().parse(new Iri(file.toUri().toString()), format(file), document);
        } catch (InvalidArgument e) {
            throw e.at(file.toString());
        }
    }

    /** The bytes of a file, up to what a registry would take. */
    static byte[] bytes(Path file) {
        try (InputStream document = Files.newInputStream(file)) {
            byte[] bytes = document.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new InvalidArgument(file.toString(), "larger than " + BYTES_MAX + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new InvalidArgument("FILE", "no such file: " + file);
        } catch (IOException e) {
            throw new InvalidArgument("FILE", "cannot be read: " + file + ": " + e.getMessage());
        }
    }

    static RdfFormat format(Path file) {
        return RdfFormat.ofFileName(file.toString())
                .orElseThrow(() -> new InvalidArgument(
                        "FILE", "the ending of " + file + " tells no format; known are " + endings()));
    }

    /** The one IRI that a document declares as an ontology. */
    static Iri nameOf(Path file, byte[] document) {
        List<String> names = parse(file, document).names();
        if (names.size() != 1) {
            throw new UsageError(file + " declares " + (names.isEmpty() ? "no ontology" : names.size() + " ontologies")
                    + ": say under which IRI to put it, --iri I");
        }
        return new Iri(names.get(0));
    }

    private static String endings() {
        return Arrays.stream(RdfFormat.values())
                .flatMap(format -> format.extensions().stream())
                .map(ending -> "." + ending)
                .collect(Collectors.joining(" "));
    }
}
