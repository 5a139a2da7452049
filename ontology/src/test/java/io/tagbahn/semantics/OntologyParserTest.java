// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.sparql.graph.GraphFactory;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OntologyParserTest {

    private static final Iri BASE = new Iri("http://example.org/doc");
    private static final String RDF_ROOT =
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://example.org/t#\">\n";

    @ParameterizedTest
    @CsvSource({
        "dbpedia-ontology.ttl, http://dbpedia.org/ontology/",
        "schemaorg-30.0-all-https.ttl, https://schema.org/",
        "saref-core-v3.owl.rdf, https://saref.etsi.org/core/",
        "pizza.owl.rdf, http://www.co-ode.org/ontologies/pizza/pizza.owl",
        "wine.owl, http://www.w3.org/TR/2003/CR-owl-guide-20030818/wine",
        "food.owl, http://www.w3.org/TR/2003/CR-owl-guide-20030818/food",
        "skos.nt, http://www.w3.org/2004/02/skos/core",
        "sosa-2017.nt, http://www.w3.org/ns/sosa/",
        "foaf.nt, http://xmlns.com/foaf/0.1/",
    })
    void realOntologiesLoadAsJenaAloneReadsThem(String file, String iri) {
        Ontology ontology = TestOntologies.load(file, iri);
        Graph plain = GraphFactory.createDefaultGraph();
        RDFParser.source(new ByteArrayInputStream(TestOntologies.bytes("/ontologies/" + file)))
                .lang(RDFLanguages.filenameToLang(file))
                .base(iri)
                .parse(plain);
        assertThat(ontology.triples()).isEqualTo(plain.size());
        assertThat(triplesWithoutBlanks(ontology.graph())).isEqualTo(triplesWithoutBlanks(plain));
        assertThat(ontology.concepts()).isPositive();
        assertThat(ontology.properties()).isPositive();
        assertThat(ontology.contentHash()).matches("[0-9a-f]{64}");
    }

    @Test
    void conceptsOfTheLargeOntologiesAreCounted() {
        assertThat(TestOntologies.dbpedia().concepts()).isEqualTo(790);
        assertThat(TestOntologies.dbpedia().triples()).isEqualTo(34_680);
        assertThat(TestOntologies.schemaOrg().concepts()).isEqualTo(1_014);
        assertThat(TestOntologies.schemaOrg().triples()).isEqualTo(18_061);
    }

    @Test
    void everyFormatSaysTheSame() {
        List<Ontology> documents = List.of(
                parse(RdfFormat.TURTLE, "@prefix : <#> . :A a :B ; :p 'x' ."),
                parse(
                        RdfFormat.N_TRIPLES,
                        "<http://example.org/doc#A> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
                                + " <http://example.org/doc#B> .\n"
                                + "<http://example.org/doc#A> <http://example.org/doc#p> \"x\" .\n"),
                parse(
                        RdfFormat.RDF_XML,
                        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://example.org/doc#'>"
                                + "<B rdf:ID='A'><p>x</p></B></rdf:RDF>"),
                parse(
                        RdfFormat.JSON_LD,
                        "{\"@id\":\"#A\",\"@type\":\"http://example.org/doc#B\","
                                + "\"http://example.org/doc#p\":\"x\"}"));
        for (Ontology document : documents) {
            assertThat(document.graph().isIsomorphicWith(documents.get(0).graph()))
                    .isTrue();
            assertThat(document.triples()).isEqualTo(2);
        }
    }

    @Test
    void importsAreReportedAndNotFollowed() {
        assertThat(TestOntologies.wine().imports())
                .containsExactly("http://www.w3.org/TR/2003/CR-owl-guide-20030818/food");
        assertThat(TestOntologies.wine().warnings()).anyMatch(w -> w.contains("not followed"));
    }

    @ParameterizedTest
    @EnumSource(RdfFormat.class)
    void documentThatDoesNotParseIsRefusedWithItsPosition(RdfFormat format) {
        assertThat(refusal(format, "\n  oops [ { <"))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("document"))
                .hasMessageMatching("(?s)document: line \\d+, column \\d+: .+");
    }

    /** FF-29. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\uD800",
                "\\uDC00",
                "\\uD83D\\uDE00",
                "\\uDE00\\uD83D",
                "\\U0000DFFF",
                "\\U00110000",
                "\\UFFFFFFFF",
                "\\u12",
                "\\U0001F60",
            })
    void badEscapeIsRefusedWithItsPosition(String escape) {
        String iriAt = "<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o" + escape + "> .\n";
        String literalAt = "<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> \"abcd" + escape + "\" .\n";
        for (RdfFormat format : List.of(RdfFormat.TURTLE, RdfFormat.N_TRIPLES)) {
            assertThat(refusal(format, iriAt)).hasMessageMatching("(?s)document: line 2, column 2[23]: .*");
            assertThat(refusal(format, literalAt)).hasMessageMatching("(?s)document: line 2, column 2[2-8]: .*");
        }
        assertThat(refusal(RdfFormat.TURTLE, "<urn:s> <urn:p> '''\nab" + escape + "''' ."))
                .hasMessageStartingWith("document: line 2, column");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00", "\\ude00\\ud83d", "\\ud800x", "\\u12"})
    void halfASurrogatePairInJsonIsRefusedWithItsPosition(String escape) {
        assertThat(refusal(RdfFormat.JSON_LD, "{\"@id\":\"urn:s\",\n\"urn:p\":\"" + escape + "\"}"))
                .hasMessageStartingWith("document: line 2, column");
        assertThat(parse(RdfFormat.JSON_LD, "{\"@id\":\"urn:s\",\"urn:p\":\"\\ud83d\\ude00\\\\\\\"\"}")
                        .triples())
                .isEqualTo(1);
    }

    @Test
    void bytesThatAreNoUtf8AreRefusedWithTheirPosition() {
        byte[] document = "<urn:s> <urn:p> \"a\" .\n<urn:s> <urn:p> \"é\" .".getBytes(StandardCharsets.ISO_8859_1);
        for (RdfFormat format : List.of(RdfFormat.TURTLE, RdfFormat.N_TRIPLES, RdfFormat.JSON_LD)) {
            assertThatThrownBy(() -> new OntologyParser().parse(BASE, format, document))
                    .isInstanceOf(InvalidArgument.class)
                    .hasMessageContaining("line 2, column 18");
        }
        byte[] xml = (RDF_ROOT + "<rdf:Description><e:p>é</e:p></rdf:Description></rdf:RDF>")
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> new OntologyParser().parse(BASE, RdfFormat.RDF_XML, xml))
                .isInstanceOf(InvalidArgument.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "UTF-8", "UTF-16"})
    void xmlMayNameItsEncoding(String encoding) {
        String document = "<?xml version='1.0' encoding='" + encoding + "'?>\n"
                + RDF_ROOT
                + "<rdf:Description rdf:about='urn:s'><e:p>é</e:p></rdf:Description></rdf:RDF>";
        Ontology ontology =
                new OntologyParser().parse(BASE, RdfFormat.RDF_XML, document.getBytes(Charset.forName(encoding)));
        assertThat(ontology.graph().find().next().getObject().getLiteralLexicalForm())
                .isEqualTo("é");
    }

    @Test
    void nestingIsBoundedInEveryFormat() {
        int limit = OntologyLimits.DEFAULT.nestingMax();
        for (int levels : List.of(limit + 1, 5_000, 200_000)) {
            List<Throwable> refusals = List.of(
                    refusal(RdfFormat.TURTLE, "<urn:s> <urn:p> " + "[<urn:p> ".repeat(levels)),
                    refusal(RdfFormat.TURTLE, "<urn:s> <urn:p> " + "(".repeat(levels)),
                    refusal(RdfFormat.TURTLE, "<urn:s> <urn:p> " + "([<urn:p> ".repeat(levels)),
                    refusal(RdfFormat.JSON_LD, "{\"urn:p\":".repeat(levels) + "1" + "}".repeat(levels)),
                    refusal(RdfFormat.JSON_LD, "[".repeat(levels) + "]".repeat(levels)),
                    refusal(RdfFormat.RDF_XML, RDF_ROOT + "<rdf:Description><e:p>".repeat(levels)));
            assertThat(refusals)
                    .allSatisfy(e -> assertThat(e)
                            .isInstanceOf(InvalidArgument.class)
                            .hasMessageContaining("nested deeper than")
                            .hasMessageContaining("line "));
        }
    }

    @Test
    void nestingUpToTheCeilingFitsASmallStack() throws InterruptedException {
        int levels = OntologyLimits.NESTING_CEILING;
        int nodes = XmlScan.NESTING_MAX / 2 - 1;
        OntologyParser parser = new OntologyParser(new OntologyLimits(1 << 20, 100_000, levels));
        int[] triples = new int[3];
        Thread thread = new Thread(
                null,
                () -> {
                    triples[0] = parser.parse(
                                    BASE,
                                    RdfFormat.TURTLE,
                                    utf8("<urn:s> <urn:p> " + "[<urn:p> ".repeat(levels) + "1" + "]".repeat(levels)
                                            + "."))
                            .triples();
                    triples[1] = parser.parse(
                                    BASE,
                                    RdfFormat.JSON_LD,
                                    utf8("{\"urn:p\":".repeat(levels) + "1" + "}".repeat(levels)))
                            .triples();
                    triples[2] = parser.parse(
                                    BASE,
                                    RdfFormat.RDF_XML,
                                    utf8(RDF_ROOT
                                            + "<rdf:Description><e:p>".repeat(nodes)
                                            + "</e:p></rdf:Description>".repeat(nodes)
                                            + "</rdf:RDF>"))
                            .triples();
                },
                "small-stack",
                512 * 1024);
        thread.start();
        thread.join();
        assertThat(triples).containsExactly(levels + 1, levels, nodes);
    }

    @Test
    void bracketsInStringsCommentsAndNamesDoNotNest() {
        String open = "[({".repeat(1000);
        assertThat(parse(
                                RdfFormat.TURTLE,
                                "@prefix : <#> . # " + open + "\n:s\\(\\#x :p \"" + open + "\", '''x" + open + "''' .")
                        .triples())
                .isEqualTo(2);
        assertThat(parse(RdfFormat.JSON_LD, "{\"urn:p\":\"\\\"" + open + "\"}").triples())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"_:b", "javascript:alert(1)", "JavaScript:x", "data:text/html,x", "http://a b/", "http:///x"})
    void dangerousIriIsRefusedInEveryFormat(String iri) {
        assertThat(refusal(RdfFormat.N_TRIPLES, "<urn:s> <urn:p> <" + iri + "> ."))
                .hasMessageContaining("line 1, column");
        assertThat(refusal(RdfFormat.TURTLE, "<urn:s> <urn:p> <" + iri + "> .")).hasMessageContaining("line 1, column");
        assertThat(refusal(
                        RdfFormat.RDF_XML,
                        RDF_ROOT + "<rdf:Description rdf:about='urn:s'>\n<e:p rdf:resource='" + iri
                                + "'/></rdf:Description></rdf:RDF>"))
                .hasMessageContaining("line 3, column");
    }

    @Test
    void dangerousIriIsFoundBehindEscapesPrefixesAndBases() {
        for (String document : List.of(
                "<urn:s> <urn:p> <\\u006Aavascript:x> .",
                "<urn:s> <urn:p> <urn:a\\u0020b> .",
                "<urn:s> <urn:p> <urn:a\\u003Eb> .",
                "@prefix j: <javascript:> . <urn:s> <urn:p> j:x .",
                "@base <javascript:x> . <urn:s> <urn:p> <#y> .",
                "<urn:s> <urn:p> \"x\"^^<javascript:x> .",
                "@prefix e: <urn:e%> . e:s e:p e:o .")) {
            assertThat(refusal(RdfFormat.TURTLE, document))
                    .isInstanceOf(InvalidArgument.class)
                    .hasMessageContaining("line 1, column");
        }
        assertThat(refusal(
                        RdfFormat.RDF_XML,
                        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:j='javascript:'>"
                                + "<j:x/></rdf:RDF>"))
                .isInstanceOf(InvalidArgument.class);
        assertThat(refusal(RdfFormat.JSON_LD, "{\"@id\":\"javascript:x\",\"urn:p\":1}"))
                .isInstanceOf(InvalidArgument.class);
    }

    @Test
    void relativeIriIsResolvedAgainstTheDocumentsOwnIriAndNeverAgainstFiles() {
        Ontology ontology = parse(RdfFormat.TURTLE, "<#a> <p> <../b> .");
        assertThat(ontology.graph().find().next().toString())
                .isEqualTo("http://example.org/doc#a http://example.org/p http://example.org/b");
        Ontology opaque =
                new OntologyParser().parse(new Iri("urn:x:y"), RdfFormat.TURTLE, utf8("<#a> <urn:p> <urn:o> ."));
        assertThat(opaque.graph().find().next().getSubject().getURI()).isEqualTo("urn:x:y#a");
    }

    @Test
    void entitiesAreBoundedAndNeverComeFromOutside() {
        StringBuilder laughs = new StringBuilder("<!DOCTYPE rdf:RDF [<!ENTITY l0 \"ha\">");
        for (int i = 1; i < 40; i++) {
            laughs.append("<!ENTITY l%d \"&l%d;&l%d;\">".formatted(i, i - 1, i - 1));
        }
        String body = "<rdf:Description rdf:about='urn:s'><e:p>%s</e:p></rdf:Description></rdf:RDF>";
        String quadratic = "<!DOCTYPE rdf:RDF [<!ENTITY a \"" + "x".repeat(50_000) + "\">]>" + RDF_ROOT
                + body.formatted("&a;".repeat(5_000));
        List<String> documents = List.of(
                laughs + "]>" + RDF_ROOT + body.formatted("&l39;"),
                quadratic,
                "<!DOCTYPE rdf:RDF [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>" + RDF_ROOT + body.formatted("&a;"),
                "<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>" + RDF_ROOT + body.formatted("&x;"),
                "<!DOCTYPE rdf:RDF [<!ENTITY % x SYSTEM \"file:///etc/hostname\">%x;]>" + RDF_ROOT + body.formatted(""),
                "<!DOCTYPE rdf:RDF SYSTEM \"http://127.0.0.1:9/x.dtd\">" + RDF_ROOT + body.formatted(""),
                RDF_ROOT + body.formatted("&undeclared;"));
        Assertions.assertTimeout(
                Duration.ofSeconds(10),
                () -> assertThat(documents)
                        .allSatisfy(document -> assertThat(refusal(RdfFormat.RDF_XML, document))
                                .isInstanceOf(InvalidArgument.class)
                                .hasMessageContaining("line ")));
    }

    @Test
    void internalEntitiesMeanWhatTheyMeanInXml() {
        String document = "<?xml version=\"1.0\"?>\n"
                + "<!DOCTYPE rdf:RDF [\n<!-- ' > -->\n<!ENTITY e 'http://example.org/t#'>\n"
                + "<!ENTITY both '&e;&amp;\"&#39;>&lt;'> <!ENTITY e 'ignored'>\n]>\n"
                + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"&e;\">"
                + "<!-- &e; --><rdf:Description rdf:about=\"&e;a\"><e:p>&both;<![CDATA[&e;]]></e:p>"
                + "<e:p rdf:resource='urn:bad iri'/></rdf:Description></rdf:RDF>";
        assertThat(refusal(RdfFormat.RDF_XML, document)).hasMessageContaining("line 7, column");
        Ontology ontology = parse(RdfFormat.RDF_XML, document.replace("bad iri", "good"));
        assertThat(ontology.graph().stream()
                        .map(t -> t.getObject().isURI()
                                ? t.getObject().getURI()
                                : t.getObject().getLiteralLexicalForm()))
                .containsExactlyInAnyOrder("http://example.org/t#&\"'><&e;", "urn:good");
    }

    @Test
    void manyInternalEntitiesAreTaken() {
        StringBuilder document =
                new StringBuilder("<!DOCTYPE rdf:RDF [<!ENTITY e 'http://example.org/t#'>]>" + RDF_ROOT);
        for (int i = 0; i < 15_000; i++) {
            document.append("<rdf:Description rdf:about='&e;s").append(i).append("'><e:p>x</e:p></rdf:Description>\n");
        }
        assertThat(parse(RdfFormat.RDF_XML, document.append("</rdf:RDF>").toString())
                        .triples())
                .isEqualTo(15_000);
    }

    @Test
    void sizeAndTriplesAreBounded() throws IOException {
        OntologyParser parser = new OntologyParser(new OntologyLimits(200, 2, 10));
        byte[] two = utf8("<urn:s> <urn:p> 1, 2 .");
        assertThat(parser.parse(BASE, RdfFormat.TURTLE, new ByteArrayInputStream(two))
                        .triples())
                .isEqualTo(2);
        assertThatThrownBy(() -> parser.parse(BASE, RdfFormat.TURTLE, utf8("<urn:s> <urn:p> 1, 2, 3 .")))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("more than 2 triples");
        byte[] large = utf8("#".repeat(201));
        assertThatThrownBy(() -> parser.parse(BASE, RdfFormat.TURTLE, large)).hasMessageContaining("200 bytes");
        assertThatThrownBy(() -> parser.parse(BASE, RdfFormat.TURTLE, new ByteArrayInputStream(large)))
                .hasMessageContaining("200 bytes");
        assertThat(parser.parse(BASE, RdfFormat.TURTLE, new ByteArrayInputStream(utf8("#".repeat(200))))
                        .triples())
                .isZero();
    }

    @Test
    void prefixDoesNotMakeAnIriOfAnyLength() {
        String longest = "http://example.org/" + "x".repeat(OntologyLimits.IRI_CHARS_MAX - 20) + "/";
        assertThat(parse(RdfFormat.TURTLE, "@prefix p: <" + longest + "> . p: p: p: .")
                        .triples())
                .isEqualTo(1);
        Throwable refused = refusal(RdfFormat.TURTLE, "@prefix p: <" + longest + "> . p:a p:a p:a .");
        assertThat(refused)
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContainingAll("http://example.org/xxx", "an IRI of 8193 characters", "8192 are the most");
        assertThat(refused.getMessage()).hasSizeLessThan(300);
    }

    @Test
    void shortDocumentDoesNotBecomeLongByItsPrefixes() {
        String prefix = "http://example.org/" + "x".repeat(5_000) + "/";
        StringBuilder turtle = new StringBuilder("@prefix p: <" + prefix + "> .\n");
        StringBuilder json = new StringBuilder("{\"\\u0040context\":{\"p\":\"" + prefix + "\"},\"@graph\":[");
        for (int i = 0; i < 1_000; i++) {
            turtle.append("p:").append(i).append(" p:p p:o .\n");
            json.append(i == 0 ? "" : ",").append("{\"@id\":\"p:").append(i).append("\",\"p:p\":\"x\"}");
        }
        assertThat(refusal(RdfFormat.TURTLE, turtle.toString())).hasMessageContaining("1048576 characters together");
        assertThat(refusal(RdfFormat.JSON_LD, json.append("]}").toString())).hasMessageContaining("1048576 characters");
    }

    @Test
    void contextWithAnEndlessTextIsRefused() {
        String text = "http://example.org/" + "x".repeat(OntologyLimits.IRI_CHARS_MAX);
        assertThat(refusal(RdfFormat.JSON_LD, "{\"@context\":{\"@vocab\":\"" + text + "\"},\"@id\":\"urn:x\"}"))
                .hasMessageContaining("8192 are the most");
        assertThat(parse(RdfFormat.JSON_LD, "{\"@context\":{\"l\":\"urn:l\"},\"@id\":\"urn:x\",\"l\":\"" + text + "\"}")
                        .triples())
                .as("what is no part of a context may be as long as it likes")
                .isEqualTo(1);
    }

    @Test
    void triplesWithinTriplesAreRefused() {
        for (String document : List.of(
                "<< <urn:s> <urn:p> <urn:o> >> <urn:p> <urn:o> .",
                "<urn:s> <urn:p> <<( <urn:s> <urn:p> <urn:o> )>> .",
                "<urn:s> <urn:p> <urn:o> {| <urn:q> <urn:r> |} .")) {
            assertThat(refusal(RdfFormat.TURTLE, document)).isInstanceOf(InvalidArgument.class);
        }
    }

    @Test
    void charactersOfAllPlanesStayAsTheyAre() {
        for (int c : new int[] {0xE9, 0xFFFD, 0x1F600, 0x20000, 0x3FFFD}) {
            String raw = Character.toString(c);
            Ontology written = parse(RdfFormat.TURTLE, "<urn:" + raw + "> <urn:p> \"" + raw + "\" .");
            Ontology escaped = parse(RdfFormat.TURTLE, "<urn:\\U%08X> <urn:p> \"\\U%08X\" .".formatted(c, c));
            assertThat(written.graph().isIsomorphicWith(escaped.graph())).isTrue();
            assertThat(written.graph().find().next().getSubject().getURI()).isEqualTo("urn:" + raw);
        }
    }

    @Test
    void mediaTypesAndEndingsNameTheFormat() {
        assertThat(RdfFormat.ofMediaType("text/turtle; charset=utf-8")).isEqualTo(RdfFormat.TURTLE);
        assertThat(RdfFormat.ofFileName("pizza.owl.rdf")).contains(RdfFormat.RDF_XML);
        assertThat(RdfFormat.ofFileName("readme.md")).isEmpty();
        assertThatThrownBy(() -> RdfFormat.ofMediaType("text/html"))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("text/turtle");
    }

    private static Set<Triple> triplesWithoutBlanks(Graph graph) {
        return graph.stream()
                .filter(t -> !t.getSubject().isBlank() && !t.getObject().isBlank())
                .collect(Collectors.toSet());
    }

    private static Ontology parse(RdfFormat format, String document) {
        return new OntologyParser().parse(BASE, format, utf8(document));
    }

    private static Throwable refusal(RdfFormat format, String document) {
        Throwable thrown = catchThrowableOfType(Throwable.class, () -> parse(format, document));
        assertThat(thrown)
                .as(document.substring(0, Math.min(300, document.length())))
                .isNotNull();
        return thrown;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Each prefix is short, and defined by the one before: the last stands for nearly half a megabyte. */
    @Test
    void jsonContextsWhosePrefixesBuildOnOneAnotherAreRefusedByWhatTheyComeTo() {
        String suffix = "x".repeat(150);
        for (String context : List.of("%s", "\"p%d\":{\"@id\":%s}")) {
            StringBuilder contexts = new StringBuilder("\"p0\":\"http://example.org/\"");
            for (int i = 1; i < 3_000; i++) {
                String value = "\"p" + (i - 1) + "\\u003a" + suffix + "\"";
                contexts.append(',')
                        .append(context.equals("%s") ? "\"p" + i + "\":" + value : context.formatted(i, value));
            }
            StringBuilder uses = new StringBuilder();
            for (int i = 0; i < 20_000; i++) {
                uses.append(i == 0 ? "" : ",")
                        .append("{\"@id\":\"p2999:")
                        .append(i)
                        .append("\"}");
            }
            assertThat(refusal(
                            RdfFormat.JSON_LD,
                            "{\"@context\":{" + contexts + "},\"@id\":\"urn:x\",\"p0:l\":[" + uses + "]}"))
                    .hasMessageContaining("characters when written out");
        }
    }

    @Test
    void jsonContextsThatGoRoundInACircleAreTakenForAllThatTheyHold() {
        String suffix = "x".repeat(150);
        String contexts = "[{\"p\":\"http://example.org/\"}"
                + (",{\"q\":\"p:" + suffix + "\"},{\"p\":\"q:" + suffix + "\"}").repeat(1_000)
                + "]";
        String uses = "{\"@id\":\"p:a\"},".repeat(5_000) + "{\"@id\":\"p:b\"}";
        assertThat(refusal(
                        RdfFormat.JSON_LD,
                        "{\"@context\":" + contexts + ",\"@id\":\"urn:x\",\"urn:l\":[" + uses + "]}"))
                .hasMessageContaining("characters when written out");
    }

    @Test
    void jsonVocabulariesThatAreAppendedToOneAnotherAreRefusedByWhatTheyComeTo() {
        String contexts = "[{\"@vocab\":\"http://example.org/\"}"
                + (",{\"@vocab\":\"" + "x".repeat(150) + "\"}").repeat(1_000) + "]";
        String uses = "{\"@id\":\"urn:a\",\"l\":\"y\"},".repeat(5_000) + "{}";
        assertThat(refusal(RdfFormat.JSON_LD, "{\"@context\":" + contexts + ",\"@graph\":[" + uses + "]}"))
                .hasMessageContaining("characters when written out");
    }

    @Test
    void jsonContextsMayBuildOnOneAnotherAndOnAVocabulary() {
        String document = """
                {"@context":[{"@vocab":"http://example.org/v#","base":"http://example.org/","sub":"base:sub/","Alias":"Thing",
                  "kind":{"@id":"sub:kind","@type":"@id"}}],"@id":"sub:x","@type":"Alias","kind":"sub:y"}
                """;
        assertThat(parse(RdfFormat.JSON_LD, document).triples()).isEqualTo(2);
    }
}
