// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.client.OntologyFile;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.Iri;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.RdfFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The thesis's case study (chapter 6.3): works of art, services that hold some of them, and who has horror works.
 *
 * @param entries the tags of each instance, in the order of the thesis
 * @param question as people write it
 */
record CaseStudy(Terms terms, Map<Instance, List<Tag>> entries, String question) {

    private static final String NAMESPACE = "http://example.org/obras#";
    private static final String FOLDER = "/io/tagbahn/casestudy/";

    /** The thesis names no port. */
    private static final int PORT = 8080;

    static CaseStudy load() {
        Terms terms = new Terms(Map.of("", NAMESPACE), Optional.empty());
        Map<Instance, List<Tag>> entries = new LinkedHashMap<>();
        for (String[] row : rows("registrations.tsv")) {
            Instance instance = Instance.of(new ServiceName("service-" + row[0]), HostPort.parse(row[4] + ":" + PORT));
            entries.computeIfAbsent(instance, fresh -> new ArrayList<>())
                    .add(Tag.parse(terms.statement(statement(row, 1))));
        }
        return new CaseStudy(terms, entries, statement(rows("queries.tsv").get(0), 0));
    }

    /** The ontology's document. */
    static OntologyFile ontology() {
        return new OntologyFile(new Iri("http://example.org/obras"), RdfFormat.TURTLE, bytes("obras.ttl"));
    }

    TagPattern pattern() {
        return TagPattern.parse(terms.statement(question));
    }

    private static String statement(String[] row, int from) {
        return row[from] + " " + row[from + 1] + " " + row[from + 2];
    }

    private static List<String[]> rows(String file) {
        return new String(bytes(file), StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(line -> line.split("\t", -1))
                .toList();
    }

    private static byte[] bytes(String file) {
        try (InputStream in = Ontology.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks " + FOLDER + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
