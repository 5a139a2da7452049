// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.client.CallConfig;
import io.tagbahn.client.OntologyFile;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.Iri;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers and a node, over real connections. */
final class RegistryFeedTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final CallerConfig PATIENT = CallerConfig.defaults().withTimeout(PATIENCE);
    private static final String OBRAS = "http://example.org/obras#";

    @TempDir
    private Path folder;

    private Node node;
    private RegistryClient registry;

    @BeforeEach
    void start() {
        node = node();
        registry = RegistryClient.connect(RegistryClientConfig.defaults()
                .withRegistries("127.0.0.1:" + node.address().getPort())
                .withCall(CallConfig.defaults().withReadTimeout(PATIENCE).withWriteTimeout(PATIENCE)));
    }

    private Node node() {
        return Node.start(NodeConfig.parse(Map.of(
                "node.listen", "127.0.0.1:0",
                "cluster.listen", "127.0.0.1:0",
                "node.data-dir", folder.resolve("node").toString())));
    }

    @AfterEach
    void stop() {
        registry.close();
        node.close();
    }

    private static String address(Caller caller) {
        return caller.call(Idempotency.IDEMPOTENT, host -> host.address().toString());
    }

    private static List<String> known(Caller caller) {
        return caller.hosts().stream()
                .map(view -> view.instance().address().toString())
                .sorted()
                .toList();
    }

    @Test
    void hostsOfServiceAreFoundAndFollowed() {
        registry.register("books", "10.0.0.5:8080");
        try (Caller books = Caller.of(registry, CallTarget.named("books"), PATIENT)) {
            assertThat(address(books)).isEqualTo("10.0.0.5:8080");
            registry.register("books", "10.0.0.6:8080");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(known(books)).containsExactly("10.0.0.5:8080", "10.0.0.6:8080"));
        }
    }

    @Test
    void callThatComesBeforeTheHostWaitsForIt() {
        try (Caller books = Caller.of(registry, CallTarget.named("books"), PATIENT)) {
            registry.register("books", "10.0.0.5:8080");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(address(books)).isEqualTo("10.0.0.5:8080"));
        }
    }

    @Test
    void serviceWithoutInstancesIsKnownToHaveNone() {
        try (Caller nobody = Caller.of(registry, CallTarget.named("nobody"), PATIENT)) {
            assertThatThrownBy(() -> address(nobody))
                    .isInstanceOf(NoHosts.class)
                    .hasMessageContaining("takes calls");
        }
    }

    @Test
    void hostsOfTagsAreThoseOfAnyOfThemEachOnce() {
        registry.register("books", "10.0.0.5:8080", OBRAS + "Livro", OBRAS + "Obra");
        registry.register("films", "10.0.0.6:8080", OBRAS + "Filme");
        try (Caller works =
                Caller.of(registry, CallTarget.tagged(OBRAS + "Livro", OBRAS + "Obra", OBRAS + "Filme"), PATIENT)) {
            assertThat(address(works)).startsWith("10.0.0.");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(known(works)).containsExactly("10.0.0.5:8080", "10.0.0.6:8080"));
        }
    }

    @Test
    void hostsAreFoundByMeaning() throws Exception {
        Path file = folder.resolve("obras.ttl");
        Files.writeString(
                file,
                "<" + OBRAS + "Livro> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <" + OBRAS + "Obra> .\n",
                StandardCharsets.UTF_8);
        registry.ontologies().put(OntologyFile.read(new Iri("http://example.org/obras"), file));
        registry.register("books", "10.0.0.5:8080", OBRAS + "Livro");
        try (Caller works = Caller.of(registry, CallTarget.meaning(OBRAS + "Obra"), PATIENT)) {
            assertThat(address(works)).isEqualTo("10.0.0.5:8080");
        }
    }

    @Test
    void lastListStandsWhileTheRegistryIsGone() {
        registry.register("books", "10.0.0.5:8080");
        try (Caller books = Caller.of(registry, CallTarget.named("books"), PATIENT)) {
            assertThat(address(books)).isEqualTo("10.0.0.5:8080");
            node.close();
            for (int i = 0; i < 100; i++) {
                assertThat(address(books)).isEqualTo("10.0.0.5:8080");
            }
            assertThat(books.counters().noHosts()).isZero();
        }
    }
}
