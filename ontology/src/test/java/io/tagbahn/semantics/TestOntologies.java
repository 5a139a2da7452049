// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Iri;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The ontologies that the tests read. */
final class TestOntologies {

    static final String EX = "http://example.org/t#";

    private TestOntologies() {}

    static Ontology load(String file, String iri) {
        RdfFormat format = RdfFormat.ofFileName(file).orElseThrow();
        return new OntologyParser().parse(new Iri(iri), format, bytes("/ontologies/" + file));
    }

    static Ontology dbpedia() {
        return load("dbpedia-ontology.ttl", "http://dbpedia.org/ontology/");
    }

    static Ontology schemaOrg() {
        return load("schemaorg-30.0-all-https.ttl", "https://schema.org/");
    }

    static Ontology saref() {
        return load("saref-core-v3.owl.rdf", "https://saref.etsi.org/core/");
    }

    static Ontology pizza() {
        return load("pizza.owl.rdf", "http://www.co-ode.org/ontologies/pizza/pizza.owl");
    }

    static Ontology wine() {
        return load("wine.owl", "http://www.w3.org/TR/2003/CR-owl-guide-20030818/wine");
    }

    static Ontology food() {
        return load("food.owl", "http://www.w3.org/TR/2003/CR-owl-guide-20030818/food");
    }

    static Ontology obras() {
        return new OntologyParser()
                .parse(new Iri("http://example.org/obras"), RdfFormat.TURTLE, bytes("/io/tagbahn/casestudy/obras.ttl"));
    }

    /** A document in Turtle whose empty prefix is {@link #EX}. */
    static Ontology turtle(String body) {
        return turtle("http://example.org/t", body);
    }

    static Ontology turtle(String iri, String body) {
        String head = """
                @prefix : <http://example.org/t#> .
                @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
                @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
                @prefix owl: <http://www.w3.org/2002/07/owl#> .
                @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
                """;
        return new OntologyParser()
                .parse(new Iri(iri), RdfFormat.TURTLE, (head + body).getBytes(StandardCharsets.UTF_8));
    }

    static byte[] bytes(String resource) {
        try (InputStream in = Objects.requireNonNull(TestOntologies.class.getResourceAsStream(resource), resource)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
