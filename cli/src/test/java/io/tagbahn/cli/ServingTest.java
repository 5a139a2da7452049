// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.cli.TestingRun.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** serve, with all ways to set things; each node here is told to stop before it has started. */
final class ServingTest {

    private static final Pattern DOCUMENTED =
            Pattern.compile("\\| `([a-z]+\\.[a-z-]+)` \\| (number|size|duration) \\|.*");

    @TempDir
    private Path folder;

    private Outcome serve(String... more) {
        TestingRun run =
                new TestingRun().with("XDG_STATE_HOME", folder.resolve("state").toString());
        run.stop().raise();
        List<String> args = new ArrayList<>(List.of("serve", "--set", "node.drain=0s"));
        args.addAll(List.of(more));
        return run.run(args.toArray(String[]::new));
    }

    private Outcome serveAnywhere(String... more) {
        List<String> args = new ArrayList<>(List.of(
                "--listen", "127.0.0.1:0", "--data-dir", folder.resolve("data").toString()));
        args.addAll(List.of(more));
        return serve(args.toArray(String[]::new));
    }

    static List<String> numericSettings() throws IOException {
        List<String> settings = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "configuration.md"))) {
            Matcher matcher = DOCUMENTED.matcher(line);
            if (matcher.matches()) {
                settings.add(matcher.group(1) + (matcher.group(2).equals("duration") ? "=%ss" : "=%s"));
            }
        }
        assertThat(settings).hasSizeGreaterThan(10);
        return settings;
    }

    // FF-13 of the field faults: nothing wraps round.
    @ParameterizedTest
    @MethodSource("numericSettings")
    void numberAtTheEdgeOfAnIntegerIsHonouredOrRefusedWithItsRange(String setting) {
        for (String number :
                List.of("2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "-1")) {
            String given = String.format(setting, number);
            Outcome outcome = serveAnywhere("--set", given);
            if (outcome.exitCode() == 0) {
                assertThat(outcome.out()).as(given).startsWith("ready ");
            } else {
                assertThat(outcome.exitCode())
                        .as("%s: %s", given, outcome.err())
                        .isEqualTo(2);
                assertThat(outcome.err())
                        .as(given)
                        .contains(given.substring(0, given.indexOf('=')))
                        .contains(number)
                        .containsPattern("legal")
                        .doesNotContain("Exception");
                assertThat(outcome.out()).as(given).isEmpty();
            }
        }
    }

    @Test
    void dataGoWhereThePortSays() throws IOException {
        int port = FreePorts.next();
        Outcome outcome = serve("--listen", "127.0.0.1:" + port);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isEqualTo("ready 127.0.0.1:" + port + "\n");
        Path data = folder.resolve("state").resolve("tagbahn").resolve(Integer.toString(port));
        assertThat(data).isDirectory();
        Outcome emptied = serve("--listen", "127.0.0.1:" + port, "--set", "node.data-dir=");
        assertThat(emptied.exitCode()).as(emptied.err()).isZero();
        assertThat(Path.of("tagbahn-data")).doesNotExist();
    }

    @Test
    void withoutAStateHomeDataGoBelowHome() throws IOException {
        int port = FreePorts.next();
        for (String ignored : List.of("", "relative")) {
            TestingRun run = new TestingRun().with("HOME", folder.toString()).with("XDG_STATE_HOME", ignored);
            run.stop().raise();
            assertThat(run.run("serve", "--listen", "127.0.0.1:" + port).exitCode())
                    .isZero();
        }
        assertThat(folder.resolve(".local/state/tagbahn/" + port)).isDirectory();
        TestingRun homeless = new TestingRun();
        assertThat(homeless.run("serve", "--listen", "127.0.0.1:" + port).exitCode())
                .isEqualTo(2);
        assertThat(homeless.err()).contains("--data-dir");
    }

    @Test
    void optionsWinOverSingleSettingsAndThoseOverTheFile() throws IOException {
        Path file = folder.resolve("node.properties");
        Files.writeString(
                file,
                "# a node\nnode.id=from-file\nnode.advertise=10.0.0.1:1\nnode.listen=127.0.0.1:0\nnode.data-dir="
                        + folder.resolve("kept") + "\n");
        Outcome outcome = serve(
                "--config",
                file.toString(),
                "--set",
                "node.advertise=10.0.0.2:2",
                "--set",
                "node.id=set",
                "--id",
                "option");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isEqualTo("ready 10.0.0.2:2\n");
        assertThat(Files.readString(folder.resolve("kept").resolve("node-id"))).isEqualTo("option\n");
        Outcome other = serve("--config", file.toString());
        assertThat(other.exitCode()).as("the data belong to another node").isEqualTo(2);
        assertThat(other.err()).contains("node.id", "from-file", "option");
    }

    static Stream<List<String>> wrong() {
        return Stream.of(
                List.of("no such key", "--set", "lease.defualt=1s"),
                List.of("lease.default", "--set", "lease.defualt=1s"),
                List.of("KEY=VALUE", "--set", "lease.default"),
                List.of("node.listen", "--listen", "127.0.0.1"),
                List.of("65535", "--listen", "127.0.0.1:65536"),
                List.of("65535", "--listen", "127.0.0.1:2147483648"),
                List.of("node.advertise", "--advertise", "nonsense"),
                List.of("node.id", "--id", "no blanks"),
                List.of("no such file", "--config", "/nowhere/node.properties"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void wrongSettingIsRefusedAndNamed(List<String> expectedThenArgs) {
        Outcome outcome = serve(expectedThenArgs.subList(1, 3).toArray(String[]::new));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .startsWith("tagbahn: ")
                .contains(expectedThenArgs.get(0))
                .doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(strings = {"key=caf\u00e9", "key=\\u12"})
    void fileThatCannotBeReadIsRefused(String text) throws IOException {
        Path file = folder.resolve("node.properties");
        Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
        Outcome outcome = serveAnywhere("--config", file.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains(file.toString());
    }

    @Test
    void takenPortIsSaidWithWhatToDo() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outcome outcome = serve("--listen", "127.0.0.1:" + taken.getLocalPort());
            assertThat(outcome.exitCode()).isEqualTo(3);
            assertThat(outcome.out()).isEmpty();
            assertThat(outcome.err())
                    .contains(":" + taken.getLocalPort())
                    .contains("Address already in use")
                    .contains("--listen HOST:PORT");
        }
    }
}
