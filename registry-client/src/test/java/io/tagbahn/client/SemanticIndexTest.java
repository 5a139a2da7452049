// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Degree;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.Unreachable;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.server.node.Node;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flow of the thesis, on its case study. */
class SemanticIndexTest {

    private static final String NS = "http://example.org/obras#";
    private static final String HORROR_WORKS = "<" + NS + "Obra> <" + NS + "temUmGenero> <" + NS + "Terror>";

    @TempDir
    private static Path folder;

    private static Node node;
    private static Ontology obras;

    private RegistryClient client;

    @BeforeAll
    static void startNode() throws IOException {
        node = TestNodes.start(folder, 0);
        obras = new OntologyParser()
                .parse(new Iri("http://example.org/obras"), RdfFormat.TURTLE, resource("obras.ttl"));
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    @BeforeEach
    void connect() {
        client = RegistryClient.connect(TestNodes.patient(node));
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Ontology.class.getResourceAsStream("/io/tagbahn/casestudy/" + name)) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    /** Registers the case study's entries, one service for each host. */
    private void registerCaseStudy() throws IOException {
        Map<String, List<Tag>> tags = new LinkedHashMap<>();
        new String(resource("registrations.tsv"), StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(line -> line.split("\t", -1))
                .forEach(row -> tags.computeIfAbsent(row[4], host -> new ArrayList<>())
                        .add(Tag.parse(term(row[1]) + " " + term(row[2]) + " " + term(row[3]))));
        tags.forEach((host, carried) ->
                client.register(Instance.of(new ServiceName("case-" + host), HostPort.parse(host + ":8080")), carried));
    }

    private static String term(String text) {
        if (text.equals("a")) {
            return text;
        }
        return "<"
                + text.replaceFirst("^owl:", "http://www.w3.org/2002/07/owl#").replaceFirst("^:", NS) + ">";
    }

    private static List<String> hosts(SemanticAnswer answer) {
        return answer.matches().stream()
                .flatMap(match -> match.instances().stream())
                .map(instance -> instance.host().toString())
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void worksOfHorrorAreABookAndAFilmAndNothingElse() throws IOException {
        registerCaseStudy();
        SemanticAnswer answer = SemanticIndex.over(client, obras).discover(HORROR_WORKS);
        assertThat(answer.matches())
                .extracting(SemanticMatch::tag)
                .containsExactly(HORROR_WORKS.replace("Obra>", "Filme>"), HORROR_WORKS.replace("Obra>", "Livro>"));
        assertThat(hosts(answer)).containsExactly("172.17.0.11", "172.17.0.12");
        assertThat(answer.matches()).allSatisfy(match -> {
            assertThat(match.degree()).isEqualTo(Degree.SPECIALISES);
            assertThat(match.distance()).isEqualTo(1);
            assertThat(match.explanation()).hasSize(1).first().asString().contains("subClassOf");
        });
        assertThat(answer.degraded()).isFalse();
        assertThat(answer.ontologyVersion()).isNotEmpty();
    }

    @Test
    void conceptOfAWorkIsAdvertisedByThreeOfTheFive() throws IOException {
        registerCaseStudy();
        SemanticIndex index = SemanticIndex.over(client, obras);
        assertThat(index.discover(NS + "Obra").matches())
                .hasSize(3)
                .allSatisfy(match -> assertThat(match.tag()).contains("22-rdf-syntax-ns#type"));
        MatchQuery withSubjects = MatchQuery.of(TagPattern.parse(NS + "Obra")).withSubjects();
        assertThat(index.discover(withSubjects).matches().size()).isGreaterThan(3);
    }

    @Test
    void withoutOntologiesOnlyWhatIsIdenticalMatches() throws IOException {
        registerCaseStudy();
        SemanticIndex index = SemanticIndex.over(client);
        assertThat(index.discover(HORROR_WORKS).matches()).isEmpty();
        SemanticAnswer identical = index.discover(HORROR_WORKS.replace("Obra>", "Livro>"));
        assertThat(identical.matches()).extracting(SemanticMatch::degree).containsExactly(Degree.EXACT);
        assertThat(identical.diagnostics()).isNotEmpty();
    }

    @Test
    void asynchronousQueryAnswersTheSame() throws Exception {
        registerCaseStudy();
        SemanticIndex index = SemanticIndex.over(client, obras);
        MatchQuery query = MatchQuery.of(TagPattern.parse(HORROR_WORKS))
                .inMode(MatchMode.ANY)
                .explained();
        assertThat(index.discoverAsync(query).toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(index.discover(query));
    }

    @Test
    void registrationsThatCameAndWentAreSeenByTheNextQuery() throws IOException {
        registerCaseStudy();
        SemanticIndex index = SemanticIndex.over(client, obras);
        assertThat(index.discover(HORROR_WORKS).matches()).hasSize(2);
        try (Registration painting =
                client.register("more", "172.17.0.14:8080", HORROR_WORKS.replace("Obra>", "Pintura>"))) {
            assertThat(hosts(index.discover(HORROR_WORKS)))
                    .contains(painting.instance().host().toString())
                    .hasSize(3);
        }
        assertThat(hosts(index.discover(HORROR_WORKS))).containsExactly("172.17.0.11", "172.17.0.12");
    }

    @Test
    void entriesThatAreYoungEnoughAreNotFetchedAgain() throws IOException {
        registerCaseStudy();
        RegistryClientConfig config = TestNodes.patient(node);
        try (RegistryClient reusing =
                RegistryClient.connect(config.withInference(config.inference().withTagsMaxAge(Duration.ofHours(1))))) {
            SemanticIndex index = SemanticIndex.over(reusing, obras);
            assertThat(index.discover(HORROR_WORKS).matches()).hasSize(2);
            long callsBefore = node.rpcStats().calls();
            assertThat(index.discover(HORROR_WORKS).matches()).hasSize(2);
            assertThat(node.rpcStats().calls() - callsBefore).isEqualTo(1); // tagDiscover
        }
    }

    @Test
    void tagsThatVanishedAfterTheyWereFetchedAreLeftOut() throws IOException {
        registerCaseStudy();
        RegistryClientConfig config = TestNodes.patient(node);
        try (RegistryClient reusing = RegistryClient.connect(
                        config.withInference(config.inference().withTagsMaxAge(Duration.ofHours(1))));
                Registration painting =
                        client.register("more", "172.17.0.14:8080", HORROR_WORKS.replace("Obra>", "Pintura>"))) {
            SemanticIndex index = SemanticIndex.over(reusing, obras);
            assertThat(index.discover(HORROR_WORKS).matches()).hasSize(3);
            painting.deregister();
            assertThat(hosts(index.discover(HORROR_WORKS))).containsExactly("172.17.0.11", "172.17.0.12");
        }
    }

    @Test
    void manyMatchesAreAskedForInBatchesAndKeepTheirOrder() {
        String[] tags = IntStream.range(0, 25).mapToObj(i -> NS + "Livro" + i).toArray(String[]::new);
        client.register("books", "10.0.0.5:8080", tags);
        StringBuilder document = new StringBuilder();
        for (String tag : tags) {
            document.append('<')
                    .append(tag)
                    .append("> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <")
                    .append(NS)
                    .append("Obra> .\n");
        }
        Ontology books = new OntologyParser()
                .parse(
                        new Iri("urn:books"),
                        RdfFormat.N_TRIPLES,
                        document.toString().getBytes(StandardCharsets.UTF_8));
        RegistryClientConfig config = TestNodes.patient(node);
        try (RegistryClient batching =
                RegistryClient.connect(config.withInference(config.inference().withTagsPerCallMax(4)))) {
            SemanticIndex index = SemanticIndex.over(batching, books);
            long callsBefore = node.rpcStats().calls();
            List<SemanticMatch> matches = index.discover(NS + "Obra").matches();
            assertThat(node.rpcStats().calls() - callsBefore).isEqualTo(8);
            assertThat(matches).hasSize(25).extracting(SemanticMatch::tag).isSortedAccordingTo(Tag.SPELLING_ORDER);
            assertThat(index.discover(
                                    MatchQuery.of(TagPattern.parse(NS + "Obra")).limitedTo(3))
                            .matches())
                    .isEqualTo(matches.subList(0, 3).stream()
                            .map(match -> new SemanticMatch(
                                    match.tag(), match.degree(), match.distance(), List.of(), match.instances()))
                            .toList());
        }
    }

    @Test
    void moreEntriesThanAllowedAreAnError() {
        client.register("books", "10.0.0.5:8080", "urn:a", "urn:b", "urn:c");
        RegistryClientConfig config = TestNodes.patient(node);
        try (RegistryClient small =
                RegistryClient.connect(config.withInference(config.inference().withEntriesMax(3)))) {
            SemanticIndex index = SemanticIndex.over(small, obras);
            assertThatThrownBy(() -> index.discover(HORROR_WORKS))
                    .isInstanceOf(RegistryFault.class)
                    .hasMessageContaining("more than 3");
            assertThatThrownBy(small::allNames).isInstanceOf(RegistryFault.class);
        }
    }

    @Test
    void badPatternsAndClosedClientsAreToldApart() {
        SemanticIndex index = SemanticIndex.over(client, obras);
        assertThatThrownBy(() -> index.discover("* * *")).isInstanceOf(InvalidArgument.class);
        assertThatThrownBy(() -> index.discover("Obra")).isInstanceOf(InvalidArgument.class);
        client.close();
        assertThatThrownBy(() -> index.discover(HORROR_WORKS)).isInstanceOf(Unreachable.class);
    }
}
