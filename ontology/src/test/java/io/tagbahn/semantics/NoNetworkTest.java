// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.sparql.graph.GraphFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reading an ontology asks nobody anything, whatever the document names (FF-27 of the field faults). */
class NoNetworkTest {

    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ExecutorService workers = Executors.newCachedThreadPool(r -> new Thread(r, "stub"));
    private HttpServer stub;
    private String address;

    @BeforeEach
    void openStub() throws IOException {
        stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        address = "http://127.0.0.1:" + stub.getAddress().getPort();
        stub.setExecutor(workers);
        stub.createContext("/html", exchange -> answer(exchange, 200));
        stub.createContext("/redirect", exchange -> {
            exchange.getResponseHeaders().add("Location", address + "/redirect");
            answer(exchange, 302);
        });
        stub.createContext("/hang", exchange -> {
            requests.incrementAndGet();
            try {
                closing.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        stub.start();
    }

    @AfterEach
    void closeStub() {
        closing.countDown();
        stub.stop(0);
        workers.shutdownNow();
    }

    @Test
    void importsAreNotFollowed() {
        for (String target : List.of("/html", "/redirect", "/hang", "/self")) {
            Ontology ontology = parse(
                    RdfFormat.TURTLE,
                    "@prefix owl: <http://www.w3.org/2002/07/owl#> . <> a owl:Ontology; owl:imports <" + address
                            + target + "> .");
            assertThat(ontology.imports()).containsExactly(address + target);
            assertThat(ontology.warnings()).singleElement().asString().contains("not followed");
        }
        assertThat(requests).hasValue(0);
    }

    @Test
    void importCycleOfTwoDocumentsLoads() {
        String text = "@prefix owl: <http://www.w3.org/2002/07/owl#> . <> owl:imports <%s> . <#c> a owl:Class .";
        OntologyParser parser = new OntologyParser();
        Ontology a = parser.parse(new Iri(address + "/a"), RdfFormat.TURTLE, utf8(text.formatted(address + "/b")));
        Ontology b = parser.parse(new Iri(address + "/b"), RdfFormat.TURTLE, utf8(text.formatted(address + "/a")));
        assertThat(Closure.of(List.of(a, b)).knows(new Iri(address + "/a#c"))).isTrue();
        assertThat(requests).hasValue(0);
    }

    @Test
    void remoteContextsAreRefused() {
        for (String context : List.of(
                "\"%s/html\"",
                "[\"%s/hang\"]",
                "{\"@import\":\"%s/redirect\"}",
                "{\"@version\":1.1,\"x\":{\"@id\":\"urn:x\",\"@context\":\"%s/hang\"}}",
                "\"file:///etc/hostname\"",
                "\"relative.jsonld\"")) {
            String document = "{\"@context\":" + context.formatted(address) + ",\"@id\":\"urn:s\",\"x\":{\"x\":1}}";
            assertThatThrownBy(() -> parse(RdfFormat.JSON_LD, document))
                    .as(document)
                    .isInstanceOf(InvalidArgument.class)
                    .message()
                    .containsAnyOf("nothing is fetched", "loading a remote context");
        }
        assertThat(requests).hasValue(0);
    }

    @Test
    void entitiesAndTypesOfXmlAreNotFetched() {
        for (String head : List.of(
                "<!DOCTYPE rdf:RDF SYSTEM '%s/html'>",
                "<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM '%s/hang'>]>",
                "<!DOCTYPE rdf:RDF [<!ENTITY %% x SYSTEM '%s/hang'> %%x;]>")) {
            String document =
                    head.formatted(address) + "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>";
            assertThatThrownBy(() -> parse(RdfFormat.RDF_XML, document)).isInstanceOf(InvalidArgument.class);
        }
        assertThat(requests).hasValue(0);
    }

    @Test
    void schemaLocationsAndNamespacesAreOnlyNames() {
        parse(
                RdfFormat.RDF_XML,
                "<?xml-stylesheet href='%1$s/html'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                                .formatted(address)
                        + "xmlns:e='%1$s/hang#'><rdf:Description rdf:about='%1$s/hang' e:p='x'/></rdf:RDF>"
                                .formatted(address));
        assertThat(requests).hasValue(0);
    }

    @Test
    void anyOtherPartOfJenaIsRefusedTheNetworkAsWell() {
        Jena.start();
        assertThatThrownBy(() -> RDFDataMgr.read(GraphFactory.createDefaultGraph(), address + "/html"))
                .hasStackTraceContaining("nothing is fetched");
        assertThat(requests).hasValue(0);
    }

    private void answer(HttpExchange exchange, int status) throws IOException {
        requests.incrementAndGet();
        byte[] body = utf8("<html><body>not RDF</body></html>");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Ontology parse(RdfFormat format, String document) {
        return Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> new OntologyParser().parse(new Iri("http://example.org/doc"), format, utf8(document)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
