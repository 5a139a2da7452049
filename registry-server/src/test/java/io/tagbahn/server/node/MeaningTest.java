// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static io.tagbahn.server.node.TestingCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NotFound;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.Degree;
import io.tagbahn.thrift.Locality;
import io.tagbahn.thrift.MatchMode;
import io.tagbahn.thrift.OntologyDocument;
import io.tagbahn.thrift.OntologyInfo;
import io.tagbahn.thrift.OntologyQuery;
import io.tagbahn.thrift.OntologyReceipt;
import io.tagbahn.thrift.PutOntologyQuery;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.SemanticMatch;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.SemanticResult;
import io.tagbahn.thrift.TagWarning;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ontologies and discovery by meaning, over Thrift. */
class MeaningTest {

    private static final String OBRAS = "http://example.org/obras";
    private static final String EX = OBRAS + "#";
    private static final String QUESTION = statement("Obra", "temUmGenero", "Terror");

    @TempDir
    private Path folder;

    private TestingCluster cluster = new TestingCluster(Path.of(""), 1, Map.of());

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void start(int replicas, String... ids) {
        cluster = new TestingCluster(folder, replicas, Map.of());
        cluster.start(ids);
    }

    private static String[] ids(int nodes) {
        String[] ids = new String[nodes];
        for (int i = 0; i < nodes; i++) {
            ids[i] = "n" + (i + 1);
        }
        return ids;
    }

    private static String statement(String s, String p, String o) {
        return "<" + EX + s + "> <" + EX + p + "> <" + EX + o + ">";
    }

    private static String caseStudy() {
        try (InputStream in = OntologyInfo.class.getResourceAsStream("/io/tagbahn/casestudy/obras.ttl")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void registerCaseStudy() {
        TestingCaller caller = cluster.at("n1");
        caller.register(
                instance("a", "art", "172.17.0.10", 80), "<http://www.w3.org/2002/07/owl#Thing> a <" + EX + "Obra>");
        caller.register(
                instance("b", "books", "172.17.0.11", 80),
                "<" + EX + "Obra> a <" + EX + "Livro>",
                statement("Livro", "temUmGenero", "Terror"));
        caller.register(instance("c", "films", "172.17.0.12", 80), statement("Filme", "temUmGenero", "Terror"));
        caller.register(instance("d", "paintings", "172.17.0.13", 80), "<" + EX + "Obra> a <" + EX + "Pintura>");
    }

    private SemanticResult whole(String node, String pattern) {
        return whole(node, new SemanticQuery(pattern));
    }

    /** An answer that doesn't call itself incomplete; straight after nodes came some do. */
    private SemanticResult whole(String node, SemanticQuery query) {
        List<SemanticResult> whole = new ArrayList<>();
        eventually(() -> {
            SemanticResult result = cluster.at(node)
                    .semanticDiscover(query.deepCopy().setContext(new CallContext().setDeadlineMillis(10_000)));
            if (!result.isDegraded()) {
                whole.add(result);
            }
            return !whole.isEmpty();
        });
        return whole.get(0);
    }

    private static List<String> tags(SemanticResult result) {
        return result.getMatches().stream().map(SemanticMatch::getTag).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void caseStudyIsAnsweredByTheRegistry(int nodes) {
        start(1, ids(nodes));
        OntologyReceipt receipt = cluster.at("n1").putOntology(OBRAS, caseStudy());
        assertThat(receipt.getInfo().getConcepts()).isPositive();
        registerCaseStudy();
        for (String node : cluster.ids()) {
            SemanticResult result = whole(node, new SemanticQuery(QUESTION).setExplain(true));
            assertThat(tags(result))
                    .containsExactly(
                            statement("Filme", "temUmGenero", "Terror"), statement("Livro", "temUmGenero", "Terror"));
            assertThat(result.getMatches()).allSatisfy(match -> {
                assertThat(match.getDegree()).isEqualTo(Degree.SPECIALISES);
                assertThat(match.getDistance()).isEqualTo(1);
                assertThat(match.getExplanation()).hasSize(1);
            });
            assertThat(result.getMatches()
                            .get(0)
                            .getPeers()
                            .get(0)
                            .getInstance()
                            .getHost())
                    .isEqualTo("172.17.0.12");
            assertThat(tags(whole(node, EX + "Obra"))).hasSize(3);
            assertThat(result.getOntologyVersion())
                    .isEqualTo(cluster.at(node).status().getOntologyVersion());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void answersFollowOntologiesAndRegistrations(int nodes) {
        start(1, ids(nodes));
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        registerCaseStudy();
        String last = "n" + nodes;
        cluster.at(last)
                .register(instance("g", "games", "172.17.0.14", 80), statement("Jogo", "temUmGenero", "Terror"));
        assertThat(tags(whole("n1", QUESTION))).hasSize(2);
        String withGames = caseStudy() + "\n<" + EX + "Jogo> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <" + EX
                + "Obra> .\n";
        cluster.at(last).putOntology(OBRAS, withGames);
        for (String node : cluster.ids()) {
            assertThat(tags(whole(node, QUESTION))).hasSize(3);
        }
        cluster.at("n1").deregister("g", 0);
        for (String node : cluster.ids()) {
            assertThat(tags(whole(node, QUESTION))).hasSize(2);
        }
        cluster.at(last).removeOntology(OBRAS);
        for (String node : cluster.ids()) {
            SemanticResult nothing = whole(node, new SemanticQuery(QUESTION));
            assertThat(tags(nothing)).isEmpty();
            assertThat(nothing.getDiagnostics()).isNotEmpty();
            assertThat(cluster.at(node).listOntologies()).isEmpty();
        }
    }

    @Test
    void dryRunTellsAndChangesNothing() {
        start(2, "n1", "n2", "n3");
        registerCaseStudy();
        OntologyReceipt receipt = cluster.at("n2")
                .putOntology(new PutOntologyQuery(
                                OBRAS, ByteBuffer.wrap(caseStudy().getBytes(StandardCharsets.UTF_8)), "text/turtle")
                        .setDryRun(true));
        assertThat(receipt.getEffect().getTagsGaining()).isEqualTo(5);
        assertThat(receipt.getEffect().getTagsLosing()).isZero();
        assertThat(receipt.getEffect().getExamples()).isNotEmpty();
        assertThat(cluster.at("n2").listOntologies()).isEmpty();
        assertThat(tags(whole("n2", QUESTION))).isEmpty();
    }

    @Test
    void documentComesBackAsItWasPut() throws IOException {
        start(1, "n1", "n2", "n3");
        String document = caseStudy();
        cluster.at("n1").putOntology(OBRAS, document);
        for (String node : cluster.ids()) {
            OntologyDocument plain = cluster.at(node).getOntology(new OntologyQuery(OBRAS));
            assertThat(new String(plain.getDocument(), StandardCharsets.UTF_8)).isEqualTo(document);
            assertThat(plain.getMediaType()).isEqualTo("text/turtle");
            OntologyDocument packed = cluster.at(node).getOntology(new OntologyQuery(OBRAS).setAcceptEncoding("gzip"));
            assertThat(packed.getContentEncoding()).isEqualTo("gzip");
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.getDocument()))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo(document);
            }
            assertThat(cluster.at(node).listOntologies()).containsExactly(plain.getInfo());
            assertThatThrownBy(() -> cluster.at(node).getOntology(new OntologyQuery(EX + "none")))
                    .isInstanceOf(NotFound.class);
        }
    }

    @Test
    void refusedDocumentLeavesWhatIsInForce() {
        start(1, "n1", "n2");
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        registerCaseStudy();
        assertThatThrownBy(() -> cluster.at("n2").putOntology(OBRAS, "<urn:a> <urn:b>\n  [ ; <urn:c> ."))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("line 2");
        assertThatThrownBy(() -> cluster.at("n2")
                        .putOntology(new PutOntologyQuery(OBRAS, ByteBuffer.wrap(new byte[] {1, 2, 3}), "text/turtle")
                                .setContentEncoding("gzip")))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("gzip");
        assertThatThrownBy(() -> cluster.at("n2")
                        .putOntology(new PutOntologyQuery(OBRAS, ByteBuffer.wrap(new byte[] {1}), "text/html")))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("mediaType");
        assertThat(tags(whole("n2", QUESTION))).hasSize(2);
    }

    @Test
    void puttingAtTwoNodesAtOnceEndsInOneStateEverywhere() {
        start(1, "n1", "n2", "n3");
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<OntologyReceipt>> puts = new ArrayList<>();
            for (String node : cluster.ids()) {
                String document = "<" + EX + node + round + "> a <http://www.w3.org/2002/07/owl#Class> .";
                puts.add(CompletableFuture.supplyAsync(() -> cluster.at(node).putOntology(OBRAS, document)));
            }
            puts.forEach(CompletableFuture::join);
            eventually(() -> {
                Set<String> states = new TreeSet<>();
                cluster.ids()
                        .forEach(node -> states.add(cluster.at(node).listOntologies()
                                + cluster.at(node).status().getOntologyVersion()));
                return states.size() == 1;
            });
        }
    }

    @Test
    void nodeThatComesLaterHasTheOntologiesBeforeItAnswers() {
        start(1, "n1", "n2");
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        registerCaseStudy();
        cluster.begin("n3");
        cluster.awaitReady();
        eventually(() -> cluster.at("n3").listOntologies().size() == 1);
        assertThat(tags(whole("n3", QUESTION))).hasSize(2);
    }

    @Test
    void missedChangeIsMadeUpFor() {
        start(1, "n1", "n2", "n3");
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        cluster.kill("n3");
        cluster.at("n1")
                .putOntology(EX + "more", "<urn:x:a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:x:b> .");
        cluster.at("n1").removeOntology(OBRAS);
        cluster.begin("n3");
        cluster.awaitReady();
        eventually(
                () -> cluster.at("n3").listOntologies().equals(cluster.at("n1").listOntologies()));
        assertThat(cluster.at("n3").listOntologies()).hasSize(1);
    }

    @Test
    void ontologiesSurviveARestartAndADamagedOneHarmsNoOther() throws IOException {
        start(1, "n1");
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        cluster.at("n1")
                .putOntology(EX + "more", "<urn:x:a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:x:b> .");
        String version = cluster.at("n1").status().getOntologyVersion();
        cluster.kill("n1");
        cluster.start("n1");
        eventually(() -> cluster.at("n1").status().getOntologyVersion().equals(version));
        cluster.kill("n1");
        Path document = documents().stream()
                .filter(file -> read(file).contains("obras.ttl") || read(file).contains("temUmGenero"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(document);
        bytes[bytes.length - 5] ^= 1;
        Files.write(document, bytes);
        cluster.start("n1");
        assertThat(cluster.at("n1").listOntologies())
                .extracting(OntologyInfo::getIri)
                .containsExactly(EX + "more");
        assertThat(documents()).hasSize(1);
    }

    private List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("n1").resolve("ontologies"))) {
            return files.filter(file -> file.toString().endsWith(".ontology")).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void limitNearAndModesAreHeeded() {
        start(1, "n1", "n2", "n3");
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        for (int i = 0; i < 9; i++) {
            io.tagbahn.thrift.Instance instance = instance("i" + i, "art", "10.0.0." + (i + 1), 80);
            instance.setLocality(new Locality().setZone("z" + i));
            cluster.at("n1").register(new RegisterQuery(instance, List.of(EX + "Livro", EX + "Obra", EX + "t" + i)));
        }
        for (String node : cluster.ids()) {
            SemanticResult one = cluster.at(node)
                    .semanticDiscover(new SemanticQuery(EX + "Obra").setLimit(1).setNear(new Locality().setZone("z7")));
            assertThat(tags(one)).containsExactly(EX + "Obra");
            assertThat(one.getMatches().get(0).getPeers()).hasSize(9);
            assertThat(one.getMatches().get(0).getPeers().get(0).getInstance().getId())
                    .isEqualTo("i7");
            assertThat(tags(whole(node, new SemanticQuery(EX + "Livro").setMode(MatchMode.COVER))))
                    .containsExactly(EX + "Livro", EX + "Obra");
            assertThatThrownBy(() -> cluster.at(node).semanticDiscover(new SemanticQuery(EX + "Obra").setLimit(0)))
                    .isInstanceOf(InvalidArgument.class)
                    .hasMessageContaining("limit");
            assertThatThrownBy(() -> cluster.at(node).semanticDiscover("* * *"))
                    .isInstanceOf(InvalidArgument.class)
                    .hasMessageContaining("pattern");
        }
    }

    @Test
    void registrationIsToldWhatIsOddAboutItsTags() {
        start(1, "n1", "n2", "n3");
        assertThat(warnings("before", EX + "Obraa")).isEmpty();
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        assertThat(warnings("a", EX + "Livro", statement("Livro", "temUmGenero", "Terror")))
                .isEmpty();
        assertThat(warnings("b", EX + "Livo"))
                .singleElement()
                .asString()
                .contains("no ontology knows", "was <" + EX + "Livro> meant?");
        assertThat(warnings("c", "http://example.com/other#livro"))
                .singleElement()
                .asString()
                .contains("<" + EX + "Livro>");
        assertThat(warnings("d", EX + "Abracadabra")).singleElement().asString().doesNotContain("meant");
        assertThat(warnings("e", statement("Terror", "temUmGenero", "Terror")))
                .singleElement()
                .asString()
                .contains("rdfs:domain", EX + "Obra");
        assertThat(warnings("f", statement("Livro", "temUmGenero", "Filme")))
                .singleElement()
                .asString()
                .contains("rdfs:range", EX + "Genero");
        assertThat(warnings("g", "http://Example.org/x")).hasSize(2);
        String[] many = new String[500];
        for (int i = 0; i < many.length; i++) {
            many[i] = EX + "unknown" + i;
        }
        assertThat(warnings("h", many)).hasSize(100);
        // What is odd is registered all the same, and matches.
        assertThat(tags(whole("n2", EX + "Livo"))).containsExactly(EX + "Livo");
        assertThat(tags(whole("n2", statement("*", "temUmGenero", "Genero").replace("<" + EX + "*>", "*"))))
                .contains(statement("Terror", "temUmGenero", "Terror"));
    }

    private List<String> warnings(String id, String... tags) {
        List<TagWarning> warnings = cluster.at("n2")
                .register(instance(id, "lint", "10.0.0.1", 80), tags)
                .getWarnings();
        return warnings == null
                ? List.of()
                : warnings.stream().map(TagWarning::getMessage).toList();
    }

    @Test
    void queryThatFindsNothingIsToldWhatWasProbablyMeant() {
        start(1, "n1", "n2", "n3");
        cluster.at("n1").putOntology(OBRAS, caseStudy());
        registerCaseStudy();
        SemanticResult misspelt = whole("n3", EX + "Oubra");
        assertThat(misspelt.getMatches()).isEmpty();
        assertThat(misspelt.getDiagnostics()).anyMatch(text -> text.contains("was <" + EX + "Obra> meant?"));
        SemanticResult narrow = whole("n3", statement("Livro", "temUmGenero", "Genero"));
        assertThat(tags(narrow)).hasSize(1);
        SemanticResult wrongMode =
                whole("n3", new SemanticQuery(statement("Livro", "temUmGenero", "Genero")).setMode(MatchMode.COVER));
        assertThat(wrongMode.getMatches()).isEmpty();
        assertThat(wrongMode.getDiagnostics())
                .anyMatch(text -> text.contains("in mode SPECIALISE would <" + EX + "Livro>"));
    }

    @Test
    void receiptTellsWhatIsOddAboutADocument() {
        start(1, "n1");
        cluster.at("n1").register(instance("i", "odd", "10.0.0.1", 80), EX + "Nowhere");
        String document = "@prefix : <" + EX + "> . @prefix owl: <http://www.w3.org/2002/07/owl#> ."
                + " @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
                + " :A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A ."
                + " :D owl:disjointWith :A . :D a owl:Class . :E rdfs:subClassOf :D , :A ."
                + " :F rdfs:subClassOf :Undefined . owl:Thing rdfs:subClassOf :A ."
                + " <http://example.net/other> rdfs:subClassOf :A ."
                + " <" + OBRAS + "> owl:imports <http://example.net/imported> .";
        List<String> warnings = cluster.at("n1").putOntology(OBRAS, document).getWarnings();
        assertThat(warnings)
                .anyMatch(text -> text.contains("terms that no ontology says anything about")
                        && text.contains("<" + EX + "Undefined>"))
                .anyMatch(text -> text.contains("a circle: 3 terms") && text.contains("<" + EX + "A>"))
                .anyMatch(text -> text.contains("<" + EX + "E> is under both") && text.contains("owl:disjointWith"))
                .anyMatch(text -> text.contains("reserved vocabulary"))
                .anyMatch(text -> text.contains("applied: 1 axioms about terms outside"))
                .anyMatch(text -> text.contains("imports <http://example.net/imported>"))
                .anyMatch(text -> text.contains("1 registered tags use terms that no ontology defines")
                        && text.contains("<" + EX + "Nowhere>"));
        assertThat(tags(whole("n1", EX + "A"))).as("owl:Thing is under nothing").isEmpty();
    }
}
