// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.tagbahn.cli.TestingRun.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be asked of a node, and what is said where none is there. */
final class AskingTest {

    @TempDir
    private static Path data;

    private static TestingNode node;

    @BeforeAll
    static void startNode() {
        node = TestingNode.start(data);
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    @Test
    void nodeTellsItsState() {
        Outcome outcome = TestingRun.at(node, "node", "--json");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEmpty();
        JsonObject status = outcome.json().getAsJsonObject();
        assertThat(status.keySet())
                .containsExactly(
                        "id", "version", "ready", "replicas", "tags", "instances", "ontologyVersion", "uptimeMillis");
        assertThat(status.get("id").getAsString()).isEqualTo(node.id());
        assertThat(status.get("ready").getAsBoolean()).isTrue();
        assertThat(TestingRun.at(node, "node").out()).contains(node.id());
    }

    @Test
    void membersListsTheNode() {
        JsonObject member = TestingRun.at(node, "members", "--json")
                .json()
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject();
        assertThat(member.keySet()).containsExactly("id", "address", "state", "incarnation", "zone", "ringShare");
        assertThat(member.get("address").getAsString()).isEqualTo(node.address());
        assertThat(member.get("state").getAsString()).isEqualTo("ALIVE");
        assertThat(member.get("zone").isJsonNull()).isTrue();
        assertThat(member.get("ringShare").getAsInt()).isEqualTo(1);
        assertThat(TestingRun.at(node, "members").out()).contains(node.id()).contains("100.0 %");
    }

    @Test
    void ownersOfATagAreNodeIds() {
        Outcome outcome = TestingRun.at(node, "owners", ":x", "--prefix", "=http://a/", "--json");
        assertThat(outcome.json().getAsJsonArray().get(0).getAsString()).isEqualTo(node.id());
        assertThat(TestingRun.at(node, "owners", "x").out()).isEqualTo(node.id() + "\n");
    }

    @Test
    void nothingRegisteredIsNothingFound() {
        Outcome plain = TestingRun.at(node, "names");
        assertThat(plain.exitCode()).isEqualTo(1);
        assertThat(plain.out()).isEmpty();
        Outcome json = TestingRun.at(node, "names", "--json");
        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(json.out()).isEqualTo("[]\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9223372036854775808", "x"})
    void limitOutOfRangeIsRefused(String limit) {
        Outcome outcome = TestingRun.at(node, "names", "--limit", limit);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("--limit");
    }

    @Test
    void nodesAreNamedByOptionBeforeVariable() {
        Outcome outcome = new TestingRun()
                .with(RegistryOptions.VARIABLE, "127.0.0.1:1")
                .run("node", "--registry", node.address());
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void anyOfSeveralNodesWillDo() {
        assertThat(TestingRun.of("node", "--registry", "127.0.0.1:1," + node.address())
                        .exitCode())
                .isZero();
        assertThat(TestingRun.of("node", "--registry", "127.0.0.1:1", "--registry", node.address())
                        .exitCode())
                .isZero();
    }

    @Test
    void badVariableIsNamed() {
        Outcome outcome =
                new TestingRun().with(RegistryOptions.VARIABLE, "nonsense").run("node");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("TAGBAHN_REGISTRY");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node",
                "members",
                "names",
                "owners x",
                "discover --name x",
                "discover --tag x --json",
                "discover --concept urn:x",
                "deregister --id x",
                "set-status --id x up",
                "register --name x --address 10.0.0.1:80",
                "register --name x --address 10.0.0.1:80 --once --json"
            })
    void withoutARegistryEveryCommandExitsWithThreeAndSaysWhatToDo(String command) {
        Outcome outcome =
                new TestingRun().with(RegistryOptions.VARIABLE, "127.0.0.1:1").run(command.split(" "));
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.out()).isEmpty();
        List<String> lines = outcome.err().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("tagbahn: ").contains("127.0.0.1:1");
        assertThat(lines.get(1)).contains("tagbahn serve").contains("--registry");
    }

    @Test
    void stackTraceIsShownOnlyWhenAskedFor() {
        String[] quiet = {"node", "--registry", "127.0.0.1:1"};
        String[] verbose = {"node", "--registry", "127.0.0.1:1", "-v"};
        assertThat(TestingRun.of(quiet).err()).doesNotContain("io.tagbahn.model");
        assertThat(TestingRun.of(verbose).err()).contains("io.tagbahn.model.Unreachable");
    }

    @Test
    void readerWhoLeavesIsNoErrorAndAFullDiskIs() {
        assertThat(runInto("Broken pipe").exitCode()).isZero();
        assertThat(runInto("Broken pipe").err()).isEmpty();
        assertThat(runInto("No space left on device").exitCode()).isEqualTo(3);
        assertThat(runInto("No space left on device").err())
                .contains("standard output")
                .contains("No space left")
                .hasLineCount(1);
    }

    private static Outcome runInto(String failure) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(failure);
            }
        };
        Environment environment = new Environment(
                InputStream.nullInputStream(),
                new Output(broken),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(RegistryOptions.VARIABLE, node.address()),
                System::nanoTime,
                new StopSignal());
        int exitCode = new Tagbahn(environment).run("node");
        return new Outcome(exitCode, "", err.toString(StandardCharsets.UTF_8));
    }
}
