// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tagbahn.cli.TestingRun.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code tagbahn watch} against a node. */
class WatchingTest {

    @TempDir
    private static Path folder;

    private static TestingNode node;

    @BeforeAll
    static void startNode() {
        node = TestingNode.start(folder.resolve("data"));
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    private static List<JsonObject> lines(String out) {
        return out.lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
    }

    private static void until(TestingRun run, int lines) {
        await().atMost(Duration.ofSeconds(60)).until(() -> run.out().lines().count() >= lines);
    }

    @Test
    void eachChangeIsALineUntilItIsStopped() {
        TestingRun run = new TestingRun();
        CompletableFuture<Outcome> watching = CompletableFuture.supplyAsync(() ->
                run.run("watch", "--registry", node.address(), "--tag", "urn:x:a", "--concept", "urn:x:c", "--json"));
        until(run, 2);
        assertThat(TestingRun.at(
                                node,
                                "register",
                                "--once",
                                "--name=n",
                                "--address=10.0.0.1:80",
                                "--id=i",
                                "--tag=urn:x:a",
                                "--tag=urn:x:c")
                        .exitCode())
                .isZero();
        until(run, 4);
        run.stop().raise();
        Outcome outcome = watching.join();
        assertThat(outcome.exitCode()).isZero();
        List<JsonObject> documents = lines(outcome.out());
        assertThat(documents.get(0).keySet()).containsExactly("target", "matches", "degraded", "diagnostics");
        assertThat(documents.stream()
                        .filter(document -> !document.getAsJsonArray("matches").isEmpty())
                        .map(document -> document.get("target").getAsString()))
                .containsExactlyInAnyOrder("tags", "urn:x:c");
    }

    @Test
    void itEndsAfterSoManyAnswers() {
        Outcome outcome = TestingRun.at(node, "watch", "--tag=nobody", "--changes=1");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).isEqualTo("-- tags: 0 found\n");
    }

    @Test
    void whatTheRegistryRefusesEndsIt() {
        List<String> args = new ArrayList<>(List.of("watch"));
        for (int i = 0; i <= 10_000; i++) {
            args.add("--tag=t" + i);
        }
        Outcome outcome = TestingRun.at(node, args.toArray(String[]::new));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("10001 tags");
    }

    @Test
    void whatIsOddAboutAnAnswerIsTold() {
        Outcome outcome = TestingRun.at(node, "watch", "--concept=urn:x:unheard-of", "--changes=1");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("0 found");
        assertThat(outcome.err()).contains("no ontology knows <urn:x:unheard-of>");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "watch | nothing to watch",
                "watch --tag=<urn:a | '<' without '>'",
                "watch --concept=nope | --concept",
                "watch --tag=a --changes=0 | --changes"
            },
            delimiter = '|',
            quoteCharacter = '`')
    void wrongUsageExitsWithTwo(String args, String expected) {
        Outcome outcome = TestingRun.at(node, args.split(" "));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("tagbahn: ").contains(expected);
    }
}
