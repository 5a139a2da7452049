// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.server.node.Node;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/client.md; what stands between the marks stands there too. */
class DocumentedExamplesTest {

    @TempDir
    private Path folder;

    private Node node;

    @BeforeEach
    void start() {
        node = TestNodes.start(folder, 0);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String registryAddress() {
        return TestNodes.address(node);
    }

    @Test
    void quickStart() {
        String address = registryAddress();
        // [quick start]
        try (RegistryClient registry = RegistryClient.connect(address)) {
            registry.register(
                    "books",
                    "10.0.0.5:8080",
                    "http://example.org/obras#Livro",
                    "<http://example.org/obras#Livro> <http://example.org/obras#temUmGenero>"
                            + " <http://example.org/obras#Terror>");

            for (Instance instance : registry.discover("books").instances()) {
                System.out.println("books at " + instance.address());
            }
            TagPeers peers = registry.tagDiscover("http://example.org/obras#Livro");
            System.out.println("the book is at " + peers.instances());
        }
        // [end]
        assertThat(node.rpcStats().calls()).isEqualTo(4);
        assertThat(node.status().instances()).isZero();
    }

    @Test
    void configuration() {
        String address = registryAddress();
        // [configuration]
        RegistryClientConfig config = RegistryClientConfig.defaults()
                .withRegistries(address, "127.0.0.1:21310,127.0.0.1:21320")
                .withCaller("shop")
                .withCall(CallConfig.defaults().withReadTimeout(Duration.ofSeconds(3)))
                .withLease(LeaseConfig.defaults().withDuration(Duration.ofSeconds(10)));
        RegistryClient registry = RegistryClient.connect(config);
        // [end]
        try (registry) {
            assertThat(registry.status().id()).isEqualTo(node.id());
        }
    }

    @Test
    void registering() {
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            // [registering]
            Instance instance = Instance.of(new ServiceName("books"), HostPort.parse("10.0.0.5:8080"))
                    .withLocality(new Locality(Optional.of("node7"), Optional.of("zone-a"), Optional.of("north")))
                    .withNamedPorts(Map.of("admin", 9090))
                    .withMetadata(Map.of("version", "1.4"))
                    .withWeight(50);
            List<Tag> tags = List.of(Tag.parse("http://example.org/obras#Livro"));

            Registration registration = registry.register(instance, tags, new RegistrationListener() {
                @Override
                public void onSuperseded(Registration ended) {
                    System.out.println("another process runs as " + ended.id());
                }
            });

            registration.updateTags("http://example.org/obras#Livro", "http://example.org/obras#Filme");
            registration.update(registration.instance().withStatus(InstanceStatus.DRAINING)); // nothing new, please
            registration.deregister();
            // [end]
            assertThat(registration.state()).isEqualTo(RegistrationState.CLOSED);
        }
    }

    @Test
    void registeringBeforeTheRegistryIsThere() throws Exception {
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            Instance instance = SimulatedClient.instance("books", 8080);
            // [later]
            Registration registration = registry.keepRegistered(instance, List.of(), RegistrationListener.NONE);
            registration.registered().thenAccept(grant -> System.out.println("registered: " + grant));
            // [end]
            assertThat(registration.registered().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isNotNull();
        }
    }

    @Test
    void nearest() {
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            registry.register(
                    SimulatedClient.instance("books", 1)
                            .withLocality(new Locality(Optional.empty(), Optional.of("zone-b"), Optional.empty())),
                    List.of());
            registry.register(
                    SimulatedClient.instance("books", 2)
                            .withLocality(new Locality(Optional.empty(), Optional.of("zone-a"), Optional.empty())),
                    List.of());
            // [near]
            Locality here = new Locality(Optional.empty(), Optional.of("zone-a"), Optional.empty());
            List<Instance> nearestFirst =
                    registry.near(here).order(registry.discover("books").instances());
            // [end]
            assertThat(nearestFirst).extracting(Instance::port).containsExactly(2, 1);
        }
    }

    @Test
    void asynchronous() throws Exception {
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            registry.register("books", "10.0.0.5:8080");
            // [async]
            CompletionStage<Integer> count = registry.discoverAsync("books")
                    .thenApply(peers -> peers.instances().size())
                    .exceptionally(error -> 0);
            // [end]
            assertThat(count.toCompletableFuture().get(60, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void errors() {
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            // [errors]
            List<Instance> instances;
            try {
                instances = registry.discover("films").instances();
            } catch (NoPeersAvailable e) {
                instances = List.of(); // nobody offers it now
            } catch (RegistryException e) {
                throw new IllegalStateException("the registry can't be asked", e);
            }
            // [end]
            assertThat(instances).isEmpty();
            assertThatThrownBy(() -> registry.tagDiscover("urn:ok", "<no good>"))
                    .isInstanceOf(InvalidArgument.class)
                    .hasMessageContaining("serviceTags[1]");
        }
    }

    @Test
    void byMeaning() throws IOException {
        Path file = folder.resolve("obras.ttl");
        try (InputStream in = Ontology.class.getResourceAsStream("/io/tagbahn/casestudy/obras.ttl")) {
            Files.write(file, Objects.requireNonNull(in).readAllBytes());
        }
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            registry.register(
                    "films",
                    "172.17.0.12:8080",
                    "<http://example.org/obras#Filme> <http://example.org/obras#temUmGenero>"
                            + " <http://example.org/obras#Terror>");
            // [meaning]
            Ontology obras = new OntologyParser()
                    .parse(new Iri("http://example.org/obras"), RdfFormat.TURTLE, Files.readAllBytes(file));
            SemanticIndex index = SemanticIndex.over(registry, obras); // over(registry): with the registry's own

            SemanticAnswer answer = index.discover("<http://example.org/obras#Obra>"
                    + " <http://example.org/obras#temUmGenero> <http://example.org/obras#Terror>");
            for (SemanticMatch match : answer.matches()) {
                System.out.println(match.degree() + " " + match.tag() + " because of " + match.explanation() + " at "
                        + match.instances());
            }

            MatchQuery anyDegree = MatchQuery.of(TagPattern.parse("http://example.org/obras#Obra"))
                    .inMode(MatchMode.ANY)
                    .withSubjects()
                    .limitedTo(100);
            SemanticAnswer more = index.discover(anyDegree);
            // [end]
            assertThat(answer.matches()).hasSize(1);
            assertThat(more.matches()).hasSize(1);
        }
    }

    @Test
    void byMeaningInTheRegistry() throws IOException {
        Path file = folder.resolve("obras.ttl");
        try (InputStream in = Ontology.class.getResourceAsStream("/io/tagbahn/casestudy/obras.ttl")) {
            Files.write(file, Objects.requireNonNull(in).readAllBytes());
        }
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            registry.register(
                    "films",
                    "172.17.0.12:8080",
                    "<http://example.org/obras#Filme> <http://example.org/obras#temUmGenero>"
                            + " <http://example.org/obras#Terror>");
            // [registry]
            OntologyFile document = OntologyFile.read(new Iri("http://example.org/obras"), file);
            registry.ontologies().put(document);

            SemanticAnswer works = registry.semanticDiscover("<http://example.org/obras#Obra>"
                    + " <http://example.org/obras#temUmGenero> <http://example.org/obras#Terror>");
            // [end]
            assertThat(works.matches()).hasSize(1);
            copyAndWatch(registry);
            assertThat(SemanticIndex.over(registry).discover("http://example.org/obras#Filme"))
                    .isNotNull();
        }
    }

    private static void copyAndWatch(RegistryClient registry) {
        // [copy]
        SemanticCopy works = SemanticCopy.of(registry);
        SemanticAnswer first = works.discover("http://example.org/obras#Filme"); // asks for the hosts
        SemanticAnswer again = works.discover("http://example.org/obras#Filme"); // asks nobody
        // [end]
        assertThat(again).isEqualTo(first);
        works.close();
        // [watch]
        Watch watch = registry.watch(List.of("books"), peers -> System.out.println(peers.instances()));
        // [end]
        watch.close();
    }

    @Test
    void operatorsCalls() {
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            registry.register("books", "10.0.0.5:8080");
            // [operator]
            Instance instance = registry.discover("books").instances().get(0);
            registry.setStatus(instance.id(), InstanceStatus.OUT_OF_SERVICE, Optional.of("disk is full"));
            registry.deregister(new LeaseRef(instance.id(), 0));
            List<String> entries = registry.allNames().names();
            // [end]
            assertThat(entries).isEmpty();
        }
    }

    @Test
    void freshness() {
        try (RegistryClient registry = RegistryClient.connect(TestNodes.patient(node))) {
            registry.register("books", "10.0.0.5:8080");
            // [freshness]
            ServicePeers found = registry.discover("books");
            if (found.freshness().stale()) {
                System.out.println("as of " + found.freshness().age().toSeconds() + " s ago");
            }
            // [end]
            assertThat(found.freshness().stale()).isFalse();
        }
    }

    @Test
    void memory() {
        String address = TestNodes.address(node);
        // [memory]
        KeptConfig remembering = KeptConfig.defaults().withRefreshEvery(Duration.ofSeconds(3));
        RegistryClient registry = RegistryClient.connect(
                RegistryClientConfig.defaults().withRegistries(address).withKept(remembering));
        // [end]
        registry.close();
    }

    @Test
    void documentHoldsTheseExamples() throws IOException {
        Path docs = Path.of("..", "docs", "client.md");
        String document = withoutIndent(Files.readString(docs));
        String source = withoutIndent(Files.readString(
                Path.of("src", "test", "java", "io", "tagbahn", "client", "DocumentedExamplesTest.java")));
        int examples = 0;
        for (String part : source.split("\n// \\[", -1)) {
            int end = part.indexOf("]\n");
            if (end > 0 && !part.startsWith("end]")) {
                assertThat(document).as("example %s", part.substring(0, end)).contains(part.substring(end + 2));
                examples++;
            }
        }
        assertThat(examples).isEqualTo(14);
    }

    private static String withoutIndent(String text) {
        return text.replaceAll("(?m)^ +", "").replace("\r", "");
    }
}
