// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.tagbahn.cli.TestingRun.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes on this machine. */
final class ClusterIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final int PORT_STEP = 10;

    @TempDir
    private Path folder;

    @Test
    void whatIsRegisteredThroughOneNodeIsFoundThroughAllAndOutlivesTheDeathOfOne() throws IOException {
        int port = FreePorts.next(3, PORT_STEP);
        try (TestingProcess cluster = TestingProcess.start(
                folder, "cluster", "--nodes", "3", "--base-port", String.valueOf(port), "--data-dir", "nodes")) {
            List<String> addresses = List.of(cluster.awaitLine("ready ").split(",", -1));
            assertThat(addresses)
                    .containsExactly(address(port), address(port + PORT_STEP), address(port + 2 * PORT_STEP));
            List<String> nodes = cluster.out()
                    .lines()
                    .filter(line -> line.startsWith("node "))
                    .toList();
            assertThat(nodes).hasSize(3).allMatch(line -> line.matches("node node-[123] [0-9]+ 127.0.0.1:[0-9]+"));

            // As Ctrl-C in a terminal reaches them, beside the command.
            for (String node : nodes) {
                interrupt(node.split(" ", -1)[2]);
            }

            Outcome registered = TestingRun.of(
                    "register",
                    "--once",
                    "--json",
                    "--ttl",
                    "120s",
                    "--registry",
                    addresses.get(0),
                    "--name",
                    "books",
                    "--address",
                    "10.0.0.5:80",
                    "--tag",
                    "urn:x");
            JsonObject grant = registered.json().getAsJsonObject();
            assertThat(grant.get("copiesMade").getAsInt()).isEqualTo(3);
            assertThat(grant.get("copiesWanted").getAsInt()).isEqualTo(3);
            for (String address : addresses) {
                assertThat(TestingRun.of("names", "--registry", address).out()).isEqualTo("books\nurn:x\n");
                assertThat(TestingRun.of("owners", "urn:x", "--registry", address)
                                .out()
                                .lines())
                        .containsExactlyInAnyOrder("node-1", "node-2", "node-3");
            }

            String[] victim = nodes.get(1).split(" ", -1);
            ProcessHandle.of(Long.parseLong(victim[2])).orElseThrow().destroyForcibly();
            await().atMost(WAIT_MAX).until(() -> cluster.err().contains("node node-2 (pid " + victim[2] + ")"));
            await().atMost(WAIT_MAX)
                    .until(() -> TestingRun.of("members", "--registry", addresses.get(0))
                            .out()
                            .contains("DEAD"));
            for (String address : List.of(addresses.get(0), addresses.get(2))) {
                assertThat(TestingRun.of("names", "--registry", address).out()).isEqualTo("books\nurn:x\n");
            }

            try (TestingProcess back = TestingProcess.start(
                    folder, "serve", "--listen", victim[3], "--data-dir", "nodes/node-2", "--seed", addresses.get(2))) {
                back.awaitLine("ready ");
                assertThat(TestingRun.of("names", "--registry", victim[3]).out())
                        .isEqualTo("books\nurn:x\n");
                assertThat(back.terminate().exitCode()).isZero();
            }
            assertThat(cluster.terminate().exitCode()).isZero();
            for (String node : nodes) {
                assertThat(ProcessHandle.of(Long.parseLong(node.split(" ", -1)[2])))
                        .as(node)
                        .isEmpty();
            }
        }
    }

    @Test
    void clusterWithKeysGoesOnWhileTheyAreChangedAndANodeIsKilledAndComesBack() throws IOException {
        int port = FreePorts.next(3, PORT_STEP);
        try (TestingProcess cluster = TestingProcess.start(
                folder,
                "cluster",
                "--nodes",
                "3",
                "--base-port",
                String.valueOf(port),
                "--data-dir",
                "nodes",
                "--keys",
                "keys")) {
            List<String> addresses = List.of(cluster.awaitLine("ready ").split(",", -1));
            Outcome registered = TestingRun.of(
                    "register",
                    "--once",
                    "--ttl",
                    "300s",
                    "--registry",
                    addresses.get(0),
                    "--name",
                    "books",
                    "--address",
                    "10.0.0.5:80",
                    "--tag",
                    "urn:x");
            assertThat(registered.exitCode()).isZero();

            // The first step, taken up by nodes that run; the second and third, by one that starts anew besides.
            rotate("step 1 of 3");
            awaitKeys(2, 2);
            rotate("step 2 of 3");
            awaitKeys(3, 2);
            String victim = cluster.out()
                    .lines()
                    .filter(line -> line.startsWith("node node-2 "))
                    .findFirst()
                    .orElseThrow();
            ProcessHandle.of(Long.parseLong(victim.split(" ", -1)[2]))
                    .orElseThrow()
                    .destroyForcibly();
            await().atMost(WAIT_MAX)
                    .until(() -> TestingRun.of("members", "--registry", addresses.get(0))
                            .out()
                            .contains("DEAD"));
            rotate("step 3 of 3");
            awaitKeys(4, 1);
            try (TestingProcess plain = TestingProcess.start(
                            folder, "serve", "--listen", "127.0.0.1:0", "--seed", addresses.get(2));
                    TestingProcess back = TestingProcess.start(
                            folder,
                            "serve",
                            "--listen",
                            addresses.get(1),
                            "--data-dir",
                            "nodes/node-2",
                            "--seed",
                            addresses.get(2),
                            "--keys",
                            "keys/every-node")) {
                assertThat(plain.exitCode()).isEqualTo(2);
                assertThat(plain.err()).contains("cluster.keys-dir");
                back.awaitLine("ready ");
                for (String address : addresses) {
                    await().atMost(WAIT_MAX)
                            .until(() -> TestingRun.of("names", "--registry", address)
                                    .out()
                                    .equals("books\nurn:x\n"));
                }
                assertThat(back.terminate().exitCode()).isZero();
            }
            assertThat(cluster.terminate().exitCode()).isZero();
        }
    }

    private void rotate(String step) {
        Outcome outcome = TestingRun.of("keys", "rotate", folder.resolve("keys").toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.err()).contains(step);
    }

    /** Waits until the nodes that run have taken up keys so many times, and know so many. */
    private void awaitKeys(int times, int known) {
        for (String node : List.of("node-1", "node-3")) {
            Path log = folder.resolve("nodes").resolve(node).resolve("node.log");
            await().alias(node).atMost(WAIT_MAX).until(() -> {
                List<String> told = Files.readAllLines(log).stream()
                        .filter(line -> line.contains("the keys in"))
                        .toList();
                return told.size() >= times && told.get(told.size() - 1).contains(known + " for datagrams");
            });
        }
    }

    @Test
    void clusterOfWhichANodeCannotStartSaysSoAndEnds() throws IOException {
        int port = FreePorts.next(2, PORT_STEP);
        try (ServerSocket taken = new ServerSocket(port + PORT_STEP, 1, InetAddress.getLoopbackAddress());
                TestingProcess cluster =
                        TestingProcess.start(folder, "cluster", "--nodes", "2", "--base-port", String.valueOf(port))) {
            assertThat(taken.isBound()).isTrue();
            assertThat(cluster.exitCode()).isEqualTo(3);
            assertThat(cluster.err()).contains("node node-2").contains("exit code 3");
            assertThat(cluster.out()).doesNotContain("ready");
        }
    }

    private static void interrupt(String pid) throws IOException {
        assertThat(new ProcessBuilder("kill", "-INT", pid)
                        .start()
                        .onExit()
                        .join()
                        .exitValue())
                .isZero();
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }
}
