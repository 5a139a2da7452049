// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.tagbahn.cli.TestingRun.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** discover, against a real node that holds the case study. */
final class DiscoveringTest {

    private static final String OBRAS = "http://example.org/obras#";
    private static final String LIVRO = "<" + OBRAS + "Livro> <" + OBRAS + "temUmGenero> <" + OBRAS + "Terror>";
    private static final String FILME = "<" + OBRAS + "Filme> <" + OBRAS + "temUmGenero> <" + OBRAS + "Terror>";

    @TempDir
    private static Path folder;

    private static TestingNode node;
    private static String ontology = "";

    @BeforeAll
    static void startNode() throws IOException {
        node = TestingNode.start(folder.resolve("data"));
        CaseStudy.load().entries().forEach((instance, tags) -> {
            List<String> args = new ArrayList<>(List.of(
                    "register",
                    "--once",
                    "--ttl=10m",
                    "--name=" + instance.serviceName(),
                    "--address=" + instance.address(),
                    "--zone=" + (instance.port() % 2 == 0 ? "east" : "west")));
            tags.forEach(tag -> args.add("--tag=" + tag.spelling()));
            assertThat(TestingRun.at(node, args.toArray(String[]::new)).exitCode())
                    .isZero();
        });
        assertThat(TestingRun.at(
                                node,
                                "register",
                                "--once",
                                "--ttl=10m",
                                "--name=service-2",
                                "--address=172.17.0.21:8080",
                                "--zone=west",
                                "--tag=" + LIVRO)
                        .exitCode())
                .isZero();
        Path file = folder.resolve("obras.ttl");
        try (InputStream in = CaseStudy.class.getResourceAsStream("/io/tagbahn/casestudy/obras.ttl")) {
            Files.write(file, Objects.requireNonNull(in).readAllBytes());
        }
        ontology = file.toString();
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    private static Outcome discover(String... more) {
        List<String> args = new ArrayList<>(List.of("discover", "--prefix", "=" + OBRAS));
        args.addAll(List.of(more));
        return TestingRun.at(node, args.toArray(String[]::new));
    }

    private static List<String> tags(Outcome outcome) {
        List<String> tags = new ArrayList<>();
        for (JsonElement match : outcome.json().getAsJsonObject().getAsJsonArray("matches")) {
            tags.add(match.getAsJsonObject().get("tag").getAsString());
        }
        return tags;
    }

    private static JsonObject match(Outcome outcome, int index) {
        return outcome.json()
                .getAsJsonObject()
                .getAsJsonArray("matches")
                .get(index)
                .getAsJsonObject();
    }

    private static List<String> hosts(JsonObject match) {
        JsonArray instances = match.getAsJsonArray("instances");
        List<String> hosts = new ArrayList<>();
        instances.forEach(each -> hosts.add(each.getAsJsonObject().get("host").getAsString()));
        return hosts;
    }

    @Test
    void horrorWorksAreFoundByTheOntology() {
        Outcome outcome = discover("--statement", ":Obra :temUmGenero :Terror", "--ontology", ontology, "--json");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(tags(outcome)).containsExactly(FILME, LIVRO);
        JsonObject livro = match(outcome, 1);
        assertThat(livro.keySet()).containsExactly("tag", "degree", "distance", "explanation", "instances");
        assertThat(livro.get("degree").getAsString()).isEqualTo("SPECIALISES");
        assertThat(livro.get("distance").getAsInt()).isEqualTo(1);
        assertThat(livro.getAsJsonArray("explanation")).isEmpty();
        assertThat(hosts(livro)).containsExactly("172.17.0.11", "172.17.0.21");
        JsonObject instance = livro.getAsJsonArray("instances").get(0).getAsJsonObject();
        assertThat(instance.keySet()).containsExactly("id", "service", "host", "port", "zone", "weight", "status");
        assertThat(instance.get("status").getAsString()).isEqualTo("UP");
        JsonObject document = outcome.json().getAsJsonObject();
        assertThat(document.keySet()).containsExactly("matches", "degraded", "diagnostics");
        assertThat(document.get("degraded").getAsBoolean()).isFalse();
    }

    @Test
    void explanationIsGivenWhenAskedFor() {
        String[] question = {"--statement", ":Obra :temUmGenero :Terror", "--ontology", ontology, "--explain"};
        List<String> json = new ArrayList<>(List.of(question));
        json.add("--json");
        JsonObject livro = match(discover(json.toArray(String[]::new)), 1);
        assertThat(livro.getAsJsonArray("explanation").get(0).getAsString())
                .isEqualTo(
                        "<" + OBRAS + "Livro> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <" + OBRAS + "Obra>");
        Outcome plain = discover(question);
        assertThat(plain.out())
                .contains(
                        ":Livro :temUmGenero :Terror\n  SPECIALISES, 1 step\n  because :Livro rdfs:subClassOf :Obra\n");
    }

    @Test
    void conceptFindsWhatAdvertisesIt() {
        Outcome outcome = discover("--concept", ":Obra", "--ontology", ontology, "--json");
        assertThat(tags(outcome)).hasSize(3).allMatch(tag -> tag.contains("rdf-syntax-ns#type"));
        assertThat(match(outcome, 0).get("degree").getAsString()).isEqualTo("EXACT");
        assertThat(tags(discover("--statement", "* a :Obra", "--ontology", ontology, "--json")))
                .isEqualTo(tags(outcome));
    }

    @ParameterizedTest
    @CsvSource({"specialise,0", "SPECIALISE,0", "cover,1", "any,1"})
    void modeDecidesWhatCounts(String mode, int found) {
        Outcome outcome =
                discover("--concept", ":Terror", "--mode", mode, "--ontology", ontology, "--json", "--infer", "client");
        assertThat(outcome.exitCode())
                .isEqualTo(
                        outcome.json()
                                        .getAsJsonObject()
                                        .getAsJsonArray("matches")
                                        .isEmpty()
                                ? 1
                                : 0);
        Outcome books = discover("--concept", ":Livro", "--mode", mode, "--ontology", ontology, "--json");
        assertThat(tags(books)).hasSize(1 + found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"registry", "client"})
    void withoutAnOntologyOnlyIdenticalTermsMatchAndTheAnswerSaysSo(String where) {
        Outcome outcome = discover("--statement", ":Livro * *", "--json", "--infer", where);
        assertThat(tags(outcome)).containsExactly(LIVRO);
        assertThat(outcome.json()
                        .getAsJsonObject()
                        .getAsJsonArray("diagnostics")
                        .toString())
                .contains("it matches only itself");
    }

    @Test
    void tagsAndNamesAreFoundAsTheyAreSpelt() {
        Outcome outcome =
                discover("--tag", ":Livro :temUmGenero :Terror", "--tag", "nothing", "--name", "service-3", "--json");
        assertThat(outcome.exitCode()).isZero();
        assertThat(tags(outcome)).containsExactly("service-3", LIVRO);
        for (int i = 0; i < 2; i++) {
            assertThat(match(outcome, i).get("degree").getAsString()).isEqualTo("EXACT");
            assertThat(match(outcome, i).get("distance").getAsInt()).isZero();
            assertThat(match(outcome, i).getAsJsonArray("explanation")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"zone=west,172.17.0.21", "zone=east,172.17.0.11", "'zone=west,region=x',172.17.0.21"})
    void nearestInstanceComesFirst(String place, String host) {
        assertThat(hosts(match(discover("--name", "service-2", "--near", place, "--json"), 0))
                        .get(0))
                .isEqualTo(host);
        assertThat(hosts(match(discover("--concept", ":Livro", "--near", place, "--ontology", ontology, "--json"), 0)))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--name=none", "--tag=urn:none", "--concept=urn:none", "--statement=<urn:a> <urn:b> <urn:c>"})
    void nothingFoundExitsWithOneAndStillPrintsTheDocument(String question) {
        Outcome json = discover(question, "--json");
        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(json.json().getAsJsonObject().getAsJsonArray("matches")).isEmpty();
        Outcome plain = discover(question);
        assertThat(plain.exitCode()).isEqualTo(1);
        assertThat(plain.out()).isEmpty();
        assertThat(plain.err()).contains("nothing found");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "--infer=registry --concept=urn:x --ontology=x.ttl | its own ontologies",
                "--infer=both --concept=urn:x | registry, client",
                "--mode=most --concept=urn:x | specialise, cover, any",
                "--concept=:x:y --near=moon=1 | zone=Z",
                "--concept=* | --concept",
                "--statement=*_*_* | --statement",
                "--concept=nope | --concept",
                "--tag=<urn:a | '<' without '>'",
                "--concept=urn:x --ontology=/nowhere.ttl | no such file",
                "--concept=urn:x --ontology=/etc/hostname.docx | .jsonld",
                "--json | nothing asked for"
            },
            delimiter = '|',
            quoteCharacter = '`')
    void wrongUsageExitsWithTwoAndSaysWhatIsRight(String args, String expected) {
        Outcome outcome = discover(
                Arrays.stream(args.split(" ")).map(arg -> arg.replace('_', ' ')).toArray(String[]::new));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("tagbahn: ").contains(expected).doesNotContain("Exception");
    }

    // FF-29 of the field faults: refused with a position, and answers stay what they were.
    @ParameterizedTest
    @CsvSource(
            value = {
                "bad.nt | <urn:a> <urn:b> <urn:\\uD800> .",
                "bad.nt | <urn:a> <urn:b> \"\\uDC00\\uD800\" .",
                "bad.nt | <urn:a> <urn:b> \"\\U00110000\" .",
                "bad.ttl | <urn:a> <urn:b> <urn:\\uD800> .",
                "bad.ttl | <urn:a> <urn:b> \"\\uD800\" .",
                "bad.ttl | <urn:a> <urn:b> \"\\U00110000\" .",
                "bad.ttl | <urn:a> <urn:b> nonsense ."
            },
            delimiter = '|',
            quoteCharacter = '`')
    void badOntologyIsRefusedWithItsPosition(String name, String line) throws IOException {
        String[] question = {"--statement", ":Obra :temUmGenero :Terror", "--json"};
        Outcome before = discover(question);
        Path file = folder.resolve(name);
        Files.writeString(file, "<urn:a> <urn:b> <urn:c> .\n" + line + "\n");
        Outcome outcome = discover("--statement", ":Obra :temUmGenero :Terror", "--ontology", file.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains(name)
                .containsPattern("line 2, column [0-9]+")
                .doesNotContain("\uFFFD");
        assertThat(discover(question).out()).isEqualTo(before.out());
    }
}
