// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server whose process may open few files, and more connections than that. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the limit is set by ulimit")
class DescriptorLimitIT {

    private static final int FILES_MAX = 160;
    private static final int CONNECTIONS = 300;
    private static final Duration WATCHED = Duration.ofSeconds(4);

    /** The server process: prints its port and serves until its input ends. */
    static final class Node {

        private Node() {}

        public static void main(String[] args) throws IOException {
            try (RpcLoops loops = RpcLoops.start("rpc", 1, System::nanoTime);
                    RpcServer server = RpcServer.start(
                            loops,
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            new TestService().service(),
                            RpcLimits.defaults())) {
                System.out.println(server.address().getPort());
                System.out.flush();
                int end = System.in.read();
                assert end < 0;
            }
        }
    }

    @Test
    void acceptingWaitsWithoutSpinningWhenThereAreNoDescriptorsLeft() throws Exception {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + FILES_MAX + "; exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Otherwise the JVM raises the limit again.
                        "-XX:-MaxFDLimit",
                        "-cp",
                        // Without descriptors a jar that is only named in another jar's manifest can't be opened.
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Node.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<RawClient> clients = new ArrayList<>();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(out.readLine()));
            RawClient good = new RawClient(address);
            clients.add(good);
            good.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "before"));
            assertThat(good.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("before");
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(new RawClient(address));
            }
            good.send(RawClient.owners(WireForm.FRAMED_BINARY, 2, "meanwhile"));
            assertThat(good.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("meanwhile");
            Duration cpuBefore = process.info().totalCpuDuration().orElseThrow();
            await().pollDelay(WATCHED).atMost(WATCHED.multipliedBy(10)).until(process::isAlive);
            Duration cpu = process.info().totalCpuDuration().orElseThrow().minus(cpuBefore);
            assertThat(cpu).isLessThan(WATCHED.dividedBy(2));
            for (RawClient client : clients.subList(1, clients.size())) {
                client.close();
            }
            try (RawClient after = new RawClient(address)) {
                after.send(RawClient.owners(WireForm.FRAMED_BINARY, 3, "after"));
                assertThat(after.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("after");
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
