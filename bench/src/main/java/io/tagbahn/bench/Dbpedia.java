// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** DBpedia's ontology as measurements use it: the document, the terms that it declares, and tags made of them. */
public final class Dbpedia {

    public static final String NAMESPACE = "http://dbpedia.org/ontology/";

    private static final String DOCUMENT = "/io/tagbahn/bench/dbpedia-ontology.ttl.gz";

    private final byte[] document;
    private final List<String> classes;
    private final List<String> properties;

    private Dbpedia(byte[] document) {
        this.document = document;
        this.classes = declared("owl:Class");
        this.properties = declared("owl:ObjectProperty");
    }

    public static Dbpedia load() {
        return new Dbpedia(bytes());
    }

    private static byte[] bytes() {
        try (InputStream in =
                new GZIPInputStream(Objects.requireNonNull(Dbpedia.class.getResourceAsStream(DOCUMENT)))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The ontology in Turtle. */
    public byte[] document() {
        return document.clone();
    }

    /** The IRI of a class, any. */
    public String anyClass(RandomGenerator random) {
        return any(classes, random);
    }

    /**
     * A tag like those that services have: what a thing is, what a class has to do with a thing, or what two classes have
     * to do with each other.
     */
    public String anyTag(int instance, RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> "<http://example.org/thing" + random.nextInt(1_000_000) + "> a <" + anyClass(random) + ">";
            case 1 ->
                "<" + anyClass(random) + "> <" + any(properties, random) + "> <http://example.org/i" + instance + ">";
            default -> "<" + anyClass(random) + "> <" + any(properties, random) + "> <" + anyClass(random) + ">";
        };
    }

    /** A question: for a concept, or for what a class has to do with anything. */
    public String anyPattern(RandomGenerator random) {
        return random.nextBoolean()
                ? anyClass(random)
                : "<" + anyClass(random) + "> <" + any(properties, random) + "> *";
    }

    private static String any(List<String> terms, RandomGenerator random) {
        return terms.get(random.nextInt(terms.size()));
    }

    /** Terms of a type in the document, which names each at the beginning of a line. */
    private List<String> declared(String type) {
        List<String> found = new ArrayList<>();
        String text = new String(document, StandardCharsets.UTF_8);
        Matcher subject = Pattern.compile("(?m)^(:\\w+|<[^>]+>|dbo:\\w+)\\s+(?:a|rdf:type)\\s+([^;.]*)")
                .matcher(text);
        while (subject.find()) {
            if (subject.group(2).contains(type) || subject.group(2).contains("#" + type.substring(4) + ">")) {
                String term = subject.group(1);
                found.add(
                        term.startsWith("<")
                                ? term.substring(1, term.length() - 1)
                                : NAMESPACE + term.replaceFirst(".*:", ""));
            }
        }
        if (found.isEmpty()) {
            throw new IllegalStateException("the document declares no " + type);
        }
        return found;
    }
}
