// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.tagbahn.cli.TestingRun.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** register, deregister, set-status, against a real node. */
final class RegisteringTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    @TempDir
    private static Path data;

    private static TestingNode node;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startNode() {
        node = TestingNode.start(data);
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    @AfterEach
    void registryIsEmptyAgain() {
        for (String id : List.of("books/10.0.0.5:8080", "films/10.0.0.6:80")) {
            assertThat(run("deregister", "--id", id).exitCode()).isLessThanOrEqualTo(1);
        }
        assertThat(names()).isEmpty();
    }

    private static Outcome run(String... args) {
        return TestingRun.at(node, args);
    }

    private static List<String> names() {
        return run("names").out().lines().toList();
    }

    private static Outcome register(String... more) {
        List<String> args =
                new ArrayList<>(List.of("register", "--once", "--name", "books", "--address", "10.0.0.5:8080"));
        args.addAll(List.of(more));
        return run(args.toArray(String[]::new));
    }

    @Test
    void onceRegistersAndLeaves() {
        Outcome outcome =
                register("--json", "--ttl", "1m", "--tag", ":Livro a :Obra", "--prefix", "=http://a/", "--tag", "b");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEmpty();
        JsonObject grant = outcome.json().getAsJsonObject();
        assertThat(grant.keySet())
                .containsExactly(
                        "instanceId", "generation", "leaseMillis", "copiesMade", "copiesWanted", "tags", "millis");
        assertThat(grant.get("instanceId").getAsString()).isEqualTo("books/10.0.0.5:8080");
        assertThat(grant.get("leaseMillis").getAsLong()).isEqualTo(60_000);
        assertThat(grant.get("tags").getAsInt()).isEqualTo(2);
        assertThat(grant.get("generation").getAsLong()).isPositive();
        assertThat(grant.get("millis").getAsLong()).isNotNegative();
        assertThat(names())
                .containsExactly(
                        "<http://a/Livro> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://a/Obra>",
                        "b",
                        "books");
    }

    @Test
    void registrationIsKeptUntilTheSignalAndThenTakenBack() {
        TestingRun kept = new TestingRun().with(RegistryOptions.VARIABLE, node.address());
        CompletableFuture<Outcome> ended = CompletableFuture.supplyAsync(() -> kept.run(
                "register", "--name", "films", "--address", "10.0.0.6:80", "--ttl", "1s", "--tag", "urn:film"));
        await().atMost(SOON).until(() -> kept.out().contains("registered films/10.0.0.6:80"));
        // More than one lease: it is being renewed.
        await().during(Duration.ofMillis(1500)).atMost(SOON).until(() -> names().equals(List.of("films", "urn:film")));
        kept.stop().raise();
        assertThat(ended.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join().exitCode())
                .isZero();
        assertThat(kept.err()).contains("deregistered films/10.0.0.6:80");
        assertThat(names()).isEmpty();
    }

    @Test
    void takenPlaceIsReportedAndExitsWithTwo() {
        TestingRun kept = new TestingRun().with(RegistryOptions.VARIABLE, node.address());
        CompletableFuture<Outcome> ended = CompletableFuture.supplyAsync(
                () -> kept.run("register", "--name", "books", "--address", "10.0.0.5:8080", "--ttl", "1s"));
        await().atMost(SOON).until(() -> kept.out().contains("registered books"));
        assertThat(register("--ttl", "1m").exitCode()).isZero();
        Outcome outcome = ended.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("superseded").contains("--id");
        assertThat(names()).as("the other one stays").containsExactly("books");
    }

    @Test
    void lostRegistrationIsReportedAndComesBack() {
        TestingRun kept = new TestingRun().with(RegistryOptions.VARIABLE, node.address());
        CompletableFuture<Outcome> ended = CompletableFuture.supplyAsync(
                () -> kept.run("register", "--name", "books", "--address", "10.0.0.5:8080", "--ttl", "1s"));
        await().atMost(SOON).until(() -> kept.out().contains("registered books"));
        assertThat(run("deregister", "--id", "books/10.0.0.5:8080").exitCode()).isZero();
        await().atMost(SOON)
                .until(() -> kept.err().contains("lost:") && kept.err().contains("registered again"));
        kept.stop().raise();
        assertThat(ended.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join().exitCode())
                .isZero();
    }

    @Test
    void tagsComeFromAFile() throws IOException {
        Path file = folder.resolve("tags.nt");
        Files.writeString(
                file,
                "\uFEFF# two triples and a name\n\n<http://a/s> <http://a/p> \"x # y\"@EN . # a comment\r\n"
                        + "<http://a/s><http://a/p><http://a/caf\\u00e9>.\nmy name\nmy name");
        Outcome outcome = register("--tags-file", file.toString(), "--json");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.json().getAsJsonObject().get("tags").getAsInt()).isEqualTo(3);
        assertThat(names())
                .containsExactly(
                        "<http://a/s> <http://a/p> \"x # y\"@en",
                        "<http://a/s> <http://a/p> <http://a/café>",
                        "books",
                        "my name");
    }

    @Test
    void tagsComeFromStandardInput() {
        Outcome outcome = new TestingRun()
                .with(RegistryOptions.VARIABLE, node.address())
                .input("urn:a\nurn:b\n")
                .run("register", "--once", "--name", "books", "--address", "10.0.0.5:8080", "--tags-file", "-");
        assertThat(outcome.exitCode()).isZero();
        assertThat(names()).containsExactly("books", "urn:a", "urn:b");
    }

    @Test
    void longListGoesInSeveralCalls() {
        StringBuilder tags = new StringBuilder();
        for (int i = 0; i < 25_000; i++) {
            tags.append("urn:tag:").append(i).append('\n');
        }
        Outcome outcome = new TestingRun()
                .with(RegistryOptions.VARIABLE, node.address())
                .input(tags.toString())
                .run(
                        "register",
                        "--once",
                        "--name",
                        "books",
                        "--address",
                        "10.0.0.5:8080",
                        "--tags-file",
                        "-",
                        "--json");
        assertThat(outcome.json().getAsJsonObject().get("tags").getAsInt()).isEqualTo(25_000);
        Outcome all = run("names", "--timeout", "10s");
        assertThat(all.err()).isEmpty();
        assertThat(all.exitCode()).isZero();
        assertThat(all.out().lines().count()).isEqualTo(25_001);
        assertThat(run("names", "--json", "--limit", "12345").json().getAsJsonArray())
                .hasSize(12_345);
        assertThat(run("names", "--prefix-filter", "urn:tag:2499").out().lines())
                .hasSize(11);
    }

    @Test
    void errorInAFileNamesTheLine() throws IOException {
        Path file = folder.resolve("tags.txt");
        Files.writeString(file, "urn:a\n\n<http://a/s> <http://a/p> _:b .\n");
        Outcome outcome = register("--tags-file", file.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("tags.txt:3:").contains("blank node");
    }

    @Test
    void bytesThatAreNoUtf8AreRefusedWithTheirLine() {
        Outcome outcome = new TestingRun()
                .with(RegistryOptions.VARIABLE, node.address())
                .input("urn:a\nurn:caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1))
                .run("register", "--once", "--name", "books", "--address", "10.0.0.5:8080", "--tags-file", "-");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("standard input:2: not valid UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "<http://a/\\uD800> | surrogate",
                "<http://a/s> <http://a/p> \"\\uD800\" | surrogate",
                "<http://a/s> <http://a/p> \"\\uDC00\\uD800\" | surrogate",
                "<http://a/s> <http://a/p> \"\\U00110000\" | \\U",
                "<relative> | --base",
                ":x | --prefix"
            },
            delimiter = '|',
            quoteCharacter = '`')
    void badTagIsRefusedWithItsText(String tag, String reason) {
        Outcome outcome = register("--tag", tag);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains(tag).containsIgnoringCase(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "--weight,65536,0..65535",
        "--weight,2147483648,2147483648",
        "--weight,-1,0..65535",
        "--ttl,0s,1s..24h",
        "--ttl,25h,1s..24h",
        "--ttl,9223372036854775808s,duration",
        "--address,10.0.0.5:2147483648,65535",
        "--address,10.0.0.5:65536,65535",
        "--timeout,0s,1ms..10m",
        "--meta,novalue,KEY=VALUE",
        "--id,' x',blank",
        "--zone,'',empty"
    })
    void valueOutOfItsRangeIsRefusedWithTheRange(String option, String value, String range) {
        Outcome outcome = register(option, value);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("tagbahn: ").contains(range);
        assertThat(outcome.err()).doesNotContain("Exception");
    }

    // What becomes of an address is the same everywhere: FF-20 of the field faults.
    @ParameterizedTest
    @CsvSource({
        "[::1]:80,::1",
        "[2001:DB8:0:0:0:0:0:1]:80,2001:db8::1",
        "[::ffff:10.0.0.1]:80,10.0.0.1",
        "EXAMPLE.org:80,example.org"
    })
    void legalAddressIsStoredInOneShape(String address, String host) {
        Outcome outcome =
                run("register", "--once", "--name", "films", "--address", address, "--id", "films/10.0.0.6:80");
        assertThat(outcome.exitCode()).isZero();
        JsonObject instance = run("discover", "--name", "films", "--json")
                .json()
                .getAsJsonObject()
                .getAsJsonArray("matches")
                .get(0)
                .getAsJsonObject()
                .getAsJsonArray("instances")
                .get(0)
                .getAsJsonObject();
        assertThat(instance.get("host").getAsString()).isEqualTo(host);
        assertThat(instance.get("port").getAsInt()).isEqualTo(80);
    }

    @ParameterizedTest
    @CsvSource({"'[fe80::1%eth0]:80',zone index", "'::1:80',brackets", "'[::1]',missing", "'[10.0.0.1]:80',IPv6"})
    void illegalAddressIsRefused(String address, String reason) {
        Outcome outcome = run("register", "--once", "--name", "films", "--address", address);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains(reason);
    }

    @Test
    void unknownInstanceIsReportedAsNotRegistered() {
        Outcome outcome = run("deregister", "--id", "nobody");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).contains("not registered: nobody");
        assertThat(run("set-status", "--id", "nobody", "up").exitCode()).isEqualTo(1);
    }

    // FF-16 of the field faults: what can be registered can be removed.
    @Test
    void whateverIdCanBeRegisteredCanBeRemoved() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] pieces = {
            "/", "//", "#", "?", "%", "%2F", "%00", " ", "\u2028", "é", "😀", "a", "-", "--", ":", "\"", "'", "\\", "=",
            "@"
        };
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = 1 + random.nextInt(6); length > 0; length--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            String id = text.toString();
            Outcome registered =
                    run("register", "--once", "--name", "books", "--address", "10.0.0.5:8080", "--id=" + id);
            if (registered.exitCode() == 2) {
                assertThat(registered.err()).as("seed %d, id '%s'", seed, id).contains("id");
                refused++;
                continue;
            }
            assertThat(registered.exitCode())
                    .as("seed %d, id '%s': %s", seed, id, registered.err())
                    .isZero();
            assertThat(run("deregister", "--id=" + id).exitCode())
                    .as("seed %d, id '%s'", seed, id)
                    .isZero();
            assertThat(run("deregister", "--id=" + id).exitCode())
                    .as("seed %d, id '%s', a second time", seed, id)
                    .isEqualTo(1);
        }
        assertThat(names()).as("seed %d", seed).isEmpty();
        assertThat(refused).as("seed %d", seed).isBetween(1, 199);
    }

    @ParameterizedTest
    @CsvSource({"draining,1", "out-of-service,1", "OUT_OF_SERVICE,1", "up,0"})
    void operatorsWordDecidesWhetherAnInstanceIsHandedOut(String status, int exitCode) {
        assertThat(register().exitCode()).isZero();
        assertThat(run("set-status", "--id", "books/10.0.0.5:8080", status, "--reason", "a test")
                        .exitCode())
                .isZero();
        assertThat(run("discover", "--name", "books").exitCode()).isEqualTo(exitCode);
        assertThat(names()).containsExactly("books");
        assertThat(run("set-status", "--id", "books/10.0.0.5:8080", "up").exitCode())
                .isZero();
    }

    @Test
    void unknownStatusListsTheKnownOnes() {
        Outcome outcome = run("set-status", "--id", "books", "sleepy");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("up").contains("draining").contains("out-of-service");
    }
}
