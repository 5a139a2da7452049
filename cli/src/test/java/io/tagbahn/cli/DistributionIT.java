// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as people and scripts run it. */
final class DistributionIT {

    private static final String OBRAS = "http://example.org/obras#";

    @TempDir
    private Path folder;

    @Test
    void demoFindsHorrorWorksWhereTheThesisSays() {
        try (TestingProcess demo = TestingProcess.start(folder, "demo", "--json")) {
            assertThat(demo.exitCode()).isZero();
            JsonObject document = JsonParser.parseString(demo.out()).getAsJsonObject();
            Map<String, String> hosts = new HashMap<>();
            for (JsonElement each : document.getAsJsonArray("matches")) {
                JsonObject match = each.getAsJsonObject();
                assertThat(match.get("degree").getAsString()).isEqualTo("SPECIALISES");
                assertThat(match.get("distance").getAsInt()).isEqualTo(1);
                assertThat(match.getAsJsonArray("explanation")).hasSize(1);
                JsonArray instances = match.getAsJsonArray("instances");
                assertThat(instances).hasSize(1);
                hosts.put(
                        match.get("tag").getAsString(),
                        instances.get(0).getAsJsonObject().get("host").getAsString());
            }
            assertThat(hosts)
                    .isEqualTo(Map.of(
                            "<" + OBRAS + "Livro> <" + OBRAS + "temUmGenero> <" + OBRAS + "Terror>", "172.17.0.11",
                            "<" + OBRAS + "Filme> <" + OBRAS + "temUmGenero> <" + OBRAS + "Terror>", "172.17.0.12"));
        }
    }

    @Test
    void demoForPeopleTellsWhatMatchedWhyAndWhere() {
        try (TestingProcess demo = TestingProcess.start(folder, "demo")) {
            assertThat(demo.exitCode()).isZero();
            assertThat(demo.out())
                    .contains(
                            ":Livro :temUmGenero :Terror", "because :Livro rdfs:subClassOf :Obra", "172.17.0.11:8080");
        }
    }

    @Test
    void keptDemoAnswersUntilItIsStopped() {
        try (TestingProcess demo = TestingProcess.start(folder, "demo", "--keep")) {
            String address = demo.awaitLine("Registry nodes run at ").replaceAll("\\.$", "");
            demo.awaitLine(":Livro :temUmGenero :Terror");
            assertThat(TestingRun.of("names", "--registry", address).out().lines())
                    .hasSize(9);
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> demo.err().contains("ontology list")
                            && demo.err().endsWith(address + System.lineSeparator()));
            assertThat(demo.err()).contains("tagbahn names --registry " + address);
            for (String command : demo.err()
                    .lines()
                    .filter(line -> line.startsWith("  tagbahn "))
                    .map(line -> line.substring("  tagbahn ".length()))
                    .toList()) {
                assertThat(TestingRun.of(command.split(" ")).exitCode())
                        .as(command)
                        .isZero();
            }
            assertThat(demo.terminate().exitCode()).isZero();
        }
    }

    @Test
    void nodeRunsUntilItIsTerminatedAndIsTheProcessThatWasStarted() {
        try (TestingProcess node =
                TestingProcess.start(folder, "serve", "--listen", "127.0.0.1:0", "--set", "node.drain=1s")) {
            String address = node.awaitLine("ready ");
            assertThat(address).startsWith("127.0.0.1:");
            assertThat(node.handle().info().command().orElse("")).endsWith("/java");
            assertThat(node.handle().children()).isEmpty();
            assertThat(TestingRun.of("node", "--registry", address).exitCode()).isZero();
            assertThat(node.out()).isEqualTo("ready " + address + "\n");
            assertThat(node.terminate().exitCode()).isZero();
            assertThat(node.err()).contains("has stopped").doesNotContain("WARNING");
            assertThat(TestingRun.of("node", "--registry", address).exitCode()).isEqualTo(3);
        }
    }

    @Test
    void nodesThatDifferInTheirPortsOnlyDoNotShareTheirData() throws IOException {
        try (TestingProcess one = TestingProcess.start(folder, "serve", "--listen", "127.0.0.1:0", "--data-dir", "d");
                TestingProcess two = TestingProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            String address = two.awaitLine("ready ");
            one.awaitLine("ready ");
            try (TestingProcess same =
                            TestingProcess.start(folder, "serve", "--listen", "127.0.0.1:0", "--data-dir", "d");
                    TestingProcess port = TestingProcess.start(folder, "serve", "--listen", address)) {
                assertThat(same.exitCode()).isEqualTo(3);
                assertThat(same.err()).contains("in use").contains("data");
                assertThat(port.exitCode()).isEqualTo(3);
                assertThat(port.err())
                        .contains(address)
                        .contains("Address already in use")
                        .contains("--listen");
            }
            try (Stream<Path> states = Files.list(folder.resolve("state").resolve("tagbahn"))) {
                assertThat(states.map(path -> path.getFileName().toString()))
                        .containsExactly(address.substring(address.indexOf(':') + 1));
            }
        }
    }

    @Test
    void registrationEndsWithItsProcess() {
        try (TestingProcess node = TestingProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            String address = node.awaitLine("ready ");
            try (TestingProcess kept = TestingProcess.start(
                    folder,
                    "register",
                    "--registry",
                    address,
                    "--name",
                    "books and films",
                    "--address",
                    "10.0.0.5:8080",
                    "--tag",
                    "<urn:é😀> <urn:p> \"x y\"")) {
                kept.awaitLine("registered books and films/10.0.0.5:8080 with 1 tag");
                assertThat(TestingRun.of("names", "--registry", address).out())
                        .isEqualTo("<urn:é😀> <urn:p> \"x y\"\nbooks and films\n");
                assertThat(kept.terminate().exitCode()).isZero();
            }
            assertThat(TestingRun.of("names", "--registry", address).exitCode()).isEqualTo(1);
        }
    }

    @Test
    void folderThatCannotBeWrittenIsEnough() throws IOException {
        Path copy = folder.resolve("a folder");
        Path lib = TestingProcess.script().resolve("../../lib").normalize();
        Files.createDirectories(copy.resolve("bin"));
        Files.copy(TestingProcess.script(), copy.resolve("bin").resolve("tagbahn"));
        Files.createSymbolicLink(copy.resolve("lib"), lib);
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, copy.resolve("bin").resolve("tagbahn"));
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("r-xr-xr-x"));
        Path cache = folder.resolve("cache").resolve("tagbahn");
        try (TestingProcess first = TestingProcess.start(folder, link, Map.of(), "--version")) {
            assertThat(first.exitCode()).isZero();
            assertThat(first.out()).startsWith("tagbahn 0");
            assertThat(first.err()).contains("preparing faster starts");
        }
        try (Stream<Path> archives = Files.list(cache)) {
            assertThat(archives).hasSize(1).allMatch(path -> path.toString().endsWith(".jsa"));
        }
        try (TestingProcess second = TestingProcess.start(folder, link, Map.of(), "--version");
                TestingProcess without =
                        TestingProcess.start(folder, link, Map.of("TAGBAHN_CDS", "off"), "--version")) {
            assertThat(second.exitCode()).isZero();
            assertThat(second.err()).isEmpty();
            assertThat(without.exitCode()).isZero();
            assertThat(without.out()).isEqualTo(second.out());
        } finally {
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void javaThatIsMissingOrTooOldIsSaid() throws IOException {
        Path home = folder.resolve("old");
        Path old = home.resolve("bin");
        Files.createDirectories(old);
        Files.writeString(old.resolve("java"), "#!/bin/sh\nexit 0\n");
        Files.setPosixFilePermissions(old.resolve("java"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        Path script = TestingProcess.script();
        List<Map<String, String>> broken = List.of(
                Map.of("JAVA_HOME", home.toString()),
                Map.of("JAVA_HOME", folder.resolve("none").toString()));
        for (Map<String, String> variables : broken) {
            try (TestingProcess process = TestingProcess.start(folder, script, variables, "--version")) {
                assertThat(process.exitCode()).isEqualTo(3);
                assertThat(process.out()).isEmpty();
                assertThat(process.err().lines()).hasSize(1);
                assertThat(process.err())
                        .startsWith("tagbahn: ")
                        .contains("JAVA_HOME")
                        .contains("17");
            }
        }
    }
}
