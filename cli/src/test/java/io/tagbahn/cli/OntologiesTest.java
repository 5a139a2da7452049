// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.tagbahn.cli.TestingRun.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ontologies in the registry, by commands. */
class OntologiesTest {

    private static final String EX = "http://example.org/obras#";
    private static final String IRI = "http://example.org/obras";
    private static final String[] QUESTION = {
        "discover", "--prefix", "=" + EX, "--statement", ":Obra :temUmGenero :Terror", "--json"
    };

    @TempDir
    private Path folder;

    private @Nullable TestingNode started;
    private Path obras = Path.of("");

    @BeforeEach
    void startNode() throws IOException {
        started = TestingNode.start(folder.resolve("data"));
        obras = Files.write(folder.resolve("obras.ttl"), CaseStudy.ontology().document());
        CaseStudy.load().entries().forEach((instance, tags) -> {
            List<String> args = new ArrayList<>(List.of(
                    "register", "--once", "--name=" + instance.serviceName(), "--address=" + instance.address()));
            tags.forEach(tag -> args.add("--tag=" + tag.spelling()));
            assertThat(run(args.toArray(String[]::new)).exitCode()).isZero();
        });
    }

    @AfterEach
    void stopNode() {
        node().close();
    }

    private TestingNode node() {
        return Objects.requireNonNull(started);
    }

    private Outcome run(String... args) {
        return TestingRun.at(node(), args);
    }

    private List<String> tags(String... more) {
        List<String> args = new ArrayList<>(List.of(QUESTION));
        args.addAll(List.of(more));
        List<String> tags = new ArrayList<>();
        for (JsonElement match :
                run(args.toArray(String[]::new)).json().getAsJsonObject().getAsJsonArray("matches")) {
            tags.add(match.getAsJsonObject().get("tag").getAsString());
        }
        return tags;
    }

    @ParameterizedTest
    @ValueSource(strings = {"registry", "client"})
    void caseStudyThroughTheRegistrysOntologies(String where) throws IOException {
        assertThat(tags("--infer", where)).isEmpty();
        assertThat(run("ontology", "put", obras.toString()).exitCode()).isZero();
        assertThat(tags("--infer", where)).hasSize(2);
        assertThat(run(
                                "register",
                                "--once",
                                "--name=games",
                                "--address=172.17.0.14:80",
                                "--prefix",
                                "=" + EX,
                                "--tag=:Jogo :temUmGenero :Terror")
                        .exitCode())
                .isZero();
        assertThat(tags("--infer", where)).hasSize(2);
        Path games = folder.resolve("games.ttl");
        Files.writeString(
                games,
                new String(CaseStudy.ontology().document(), StandardCharsets.UTF_8)
                        + ":Jogo a owl:Class ; rdfs:subClassOf :Obra .\n");
        assertThat(run("ontology", "put", games.toString()).exitCode()).isZero();
        assertThat(tags("--infer", where)).hasSize(3);
        assertThat(run("ontology", "put", obras.toString()).exitCode()).isZero();
        assertThat(tags("--infer", where)).hasSize(2);
    }

    @Test
    void documentsAreListedPrintedAndRemoved() {
        assertThat(run("ontology", "list").exitCode()).isEqualTo(1);
        JsonObject receipt =
                run("ontology", "put", obras.toString(), "--json").json().getAsJsonObject();
        assertThat(receipt.keySet()).containsExactly("info", "warnings", "effect");
        assertThat(receipt.get("effect").isJsonNull()).isTrue();
        JsonObject info = receipt.getAsJsonObject("info");
        assertThat(info.keySet()).containsExactly("iri", "contentHash", "version", "triples", "concepts", "properties");
        assertThat(info.get("iri").getAsString()).isEqualTo(IRI);
        assertThat(run("ontology", "list", "--json").json().getAsJsonArray()).containsExactly(info);
        assertThat(run("ontology", "list").out()).contains(IRI, "5 concepts");
        assertThat(run("ontology", "get", IRI).out())
                .isEqualTo(new String(CaseStudy.ontology().document(), StandardCharsets.UTF_8));
        assertThat(run("ontology", "get", "<" + IRI + ">", "--json")
                        .json()
                        .getAsJsonObject()
                        .keySet())
                .containsExactly("info", "document", "mediaType");
        assertThat(run("ontology", "remove", IRI).exitCode()).isZero();
        assertThat(run("ontology", "remove", IRI).exitCode()).isEqualTo(1);
        assertThat(run("ontology", "get", IRI).exitCode()).isEqualTo(1);
        assertThat(run("ontology", "list").exitCode()).isEqualTo(1);
    }

    @Test
    void documentInAnotherCharacterSetIsGivenBackAsItWasPut() throws IOException {
        byte[] document = """
                <?xml version="1.0" encoding="ISO-8859-1"?>
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
                    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
                  <rdf:Description rdf:about="urn:x:a"><rdfs:label>\u00e1rvore</rdfs:label></rdf:Description>
                </rdf:RDF>
                """.getBytes(StandardCharsets.ISO_8859_1);
        Path file = Files.write(folder.resolve("latin.rdf"), document);
        String iri = "http://example.org/latin";
        assertThat(run("ontology", "put", file.toString(), "--iri", iri).exitCode())
                .isZero();
        TestingRun get = new TestingRun().with(RegistryOptions.VARIABLE, node().address());
        assertThat(get.run("ontology", "get", iri).exitCode()).isZero();
        assertThat(get.outBytes()).isEqualTo(document);
        JsonObject json = run("ontology", "get", iri, "--json").json().getAsJsonObject();
        assertThat(json.keySet()).containsExactly("info", "documentBase64", "mediaType");
        assertThat(Base64.getDecoder().decode(json.get("documentBase64").getAsString()))
                .isEqualTo(document);
        assertThat(run("ontology", "remove", iri).exitCode()).isZero();
    }

    @Test
    void dryRunTellsWhatWouldChange() {
        JsonObject receipt = run("ontology", "put", obras.toString(), "--dry-run", "--json")
                .json()
                .getAsJsonObject();
        assertThat(receipt.getAsJsonObject("effect").get("tagsGaining").getAsInt())
                .isEqualTo(5);
        assertThat(run("ontology", "put", obras.toString(), "--dry-run").out())
                .contains("not put", "5 registered tags would answer for more");
        assertThat(run("ontology", "list").exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "ontology | which?",
                "ontology put /nowhere.ttl | no such file",
                "ontology put BAD | line 1",
                "ontology put BAD --iri urn:x:y | line 1",
                "ontology put ESCAPE --iri urn:x:y | line 2, column",
                "ontology put NAMELESS | --iri",
                "ontology put OBRAS --iri nope | IRI",
                "ontology get nope | IRI"
            },
            delimiter = '|')
    void wrongUsageAndBadDocumentsExitWithTwo(String args, String expected) throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.ttl"), "<urn:a> <urn:b> nonsense .\n");
        Path nameless = Files.writeString(folder.resolve("nameless.ttl"), "<urn:a> <urn:b> <urn:c> .\n");
        Path escape = Files.writeString(
                folder.resolve("escape.nt"), "<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> <urn:\\uD800> .\n");
        Outcome outcome = run(args.replace("BAD", bad.toString())
                .replace("ESCAPE", escape.toString())
                .replace("NAMELESS", nameless.toString())
                .replace("OBRAS", obras.toString())
                .split(" "));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("tagbahn: ").contains(expected).doesNotContain("Exception");
    }
}
