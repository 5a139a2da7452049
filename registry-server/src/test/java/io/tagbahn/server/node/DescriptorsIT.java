// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.HostPort;
import io.tagbahn.thrift.MemberState;
import java.io.BufferedReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** FF-32: a node whose process may open few files, and many more clients than that. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the limit is set by ulimit")
class DescriptorsIT {

    private static final int FILES_MAX = 256;
    private static final int CLIENTS = 400;
    private static final int LINES_MAX = 1_000;
    private static final Duration HELD = Duration.ofSeconds(15);

    @TempDir
    Path folder;

    private Process limited(String seed) throws Exception {
        return new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + FILES_MAX + "; exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Otherwise the JVM raises the limit again.
                        "-XX:-MaxFDLimit",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        LimitedNode.class.getName(),
                        "node.id=limited",
                        "node.listen=127.0.0.1:0",
                        "node.data-dir=" + folder.resolve("limited"),
                        "cluster.seeds=" + seed)
                .redirectError(folder.resolve("log").toFile())
                .start();
    }

    private static boolean isAlive(TestingCaller caller) {
        return caller.members(null).stream()
                .anyMatch(member -> member.getId().equals("limited") && member.getState() == MemberState.ALIVE);
    }

    @Test
    void moreClientsThanDescriptorsHarmNobodyElse() throws Exception {
        List<Socket> clients = new ArrayList<>();
        Process process = null;
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            Node other = nodes.start("other");
            process = limited(other.advertised().toString());
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            HostPort ready = HostPort.parse(out.readLine().substring("ready ".length()));
            InetSocketAddress address = new InetSocketAddress(ready.host().toString(), ready.port());
            try (TestingCaller outside = new TestingCaller(other.address());
                    TestingCaller before = new TestingCaller(address)) {
                await().atMost(Duration.ofSeconds(40)).until(() -> isAlive(outside));
                assertThat(before.status().isReady()).isTrue();
                for (int i = 0; i < CLIENTS; i++) {
                    Socket socket = new Socket();
                    socket.connect(address, 5_000);
                    clients.add(socket);
                }
                Duration cpuBefore = process.info().totalCpuDuration().orElseThrow();
                await().during(HELD).atMost(HELD.multipliedBy(4)).until(() -> isAlive(outside));
                Duration cpu = process.info().totalCpuDuration().orElseThrow().minus(cpuBefore);
                assertThat(cpu).isLessThan(HELD.dividedBy(2));
                assertThat(before.status().isReady()).isTrue();
                for (Socket socket : clients) {
                    socket.close();
                }
                await().atMost(Duration.ofSeconds(5)).ignoreExceptions().until(() -> {
                    try (TestingCaller after = new TestingCaller(address)) {
                        return after.status().isReady();
                    }
                });
                assertThat(isAlive(outside)).isTrue();
            }
            assertThat(Files.readAllLines(folder.resolve("log"))).hasSizeLessThan(LINES_MAX);
        } finally {
            for (Socket socket : clients) {
                socket.close();
            }
            if (process != null) {
                process.destroy();
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
        }
    }
}
