// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.semantics.Ontology;
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
        RdfFormat format = RdfFormat.ofFileName(file.toString())
                .orElseThrow(() -> new InvalidArgument(
                        "--ontology", "the ending of " + file + " tells no format; known are " + endings()));
        try (InputStream document = Files.newInputStream(file)) {
            return new OntologyParser().parse(new Iri(file.toUri().toString()), format, document);
        } catch (InvalidArgument e) {
            throw e.at(file.toString());
        } catch (NoSuchFileException e) {
            throw new InvalidArgument("--ontology", "no such file: " + file);
        } catch (IOException e) {
            throw new InvalidArgument("--ontology", "cannot be read: " + file + ": " + e.getMessage());
        }
    }

    private static String endings() {
        return Arrays.stream(RdfFormat.values())
                .flatMap(format -> format.extensions().stream())
                .map(ending -> "." + ending)
                .collect(Collectors.joining(" "));
    }
}
