// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.thrift.InstanceStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLifecycleTest {

    @TempDir
    private Path folder;

    private NodeConfig config(String... more) {
        Map<String, String> all =
                new HashMap<>(Map.of("node.listen", "127.0.0.1:0", "node.data-dir", folder.toString()));
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return NodeConfig.parse(all);
    }

    @Test
    void nodeThatCannotReadWhichOntologiesItHasDoesNotStart() throws IOException {
        Path ontologies = Files.createFile(folder.resolve("ontologies"));
        assertThatThrownBy(() -> Node.start(config()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("ontologies that are kept")
                .hasMessageContaining(ontologies.toString());
        awaitNoThreads();
        Files.delete(ontologies);
        Node.start(config()).close();
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("rpc")
                        || name.startsWith("registry-")
                        || name.startsWith("operator-")
                        || name.startsWith("gossip"))
                .collect(Collectors.toSet());
    }

    /** Netty tells that a loop has ended a moment before its thread has. */
    private static void awaitNoThreads() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void twoNodesCannotShareADataDirectory() {
        try (Node first = Node.start(config())) {
            assertThatThrownBy(() -> Node.start(config()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("in use by another node")
                    .hasMessageContaining(folder.toString());
            try (TestingCaller caller = new TestingCaller(first.address())) {
                assertThat(caller.status().isReady()).isTrue();
            }
        }
        Node.start(config()).close();
    }

    @Test
    void idBelongsToTheDataDirectory() {
        Node.start(config("node.id", "one")).close();

        try (Node again = Node.start(config())) {
            assertThat(again.id()).isEqualTo("one");
        }
        assertThatThrownBy(() -> Node.start(config("node.id", "two")))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("belongs to node one");
    }

    @Test
    void damagedIdIsRefusedRatherThanTaken() throws IOException {
        Node.start(config()).close();
        for (String damage : new String[] {"", "\n", "no id", "\u0000\u0001"}) {
            Files.writeString(folder.resolve("node-id"), damage);
            assertThatThrownBy(() -> Node.start(config()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("node-id is damaged")
                    .hasMessageContaining(folder.toString());
        }
    }

    @Test
    void portThatIsTakenIsToldAndLeavesNothingBehind(@TempDir Path other) {
        try (Node first = Node.start(config())) {
            String taken = "127.0.0.1:" + first.address().getPort();
            assertThatThrownBy(() -> Node.start(config("node.listen", taken, "node.data-dir", other.toString())))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot bind");
        }
        awaitNoThreads();
        Node.start(config("node.data-dir", other.toString())).close();
    }

    @Test
    void closedNodeLeavesNoThreadsAndMayBeClosedAgain() {
        Node node = Node.start(config());
        assertThat(threads()).contains("registry-writer");
        node.close();
        node.close();

        awaitNoThreads();
    }

    @Test
    void portsAreFreeAsSoonAsTheNodeHasStopped() {
        int port = 0;
        int memberPort = 0;
        for (int i = 0; i < 25; i++) {
            try (Node node = Node.start(
                    config("node.listen", "127.0.0.1:" + port, "cluster.listen", "127.0.0.1:" + memberPort))) {
                port = node.address().getPort();
                memberPort = node.memberAddress().orElseThrow().port();
                assertThat(node.status().ready()).isTrue();
            }
        }
    }

    @Test
    void damagedFileOfStatusesIsRefusedRatherThanDropped() throws IOException {
        try (Node node = Node.start(config());
                TestingCaller caller = new TestingCaller(node.address())) {
            caller.register(TestingCaller.instance("i", "s", "10.0.0.1", 80));
            caller.setStatus("i", InstanceStatus.DRAINING, "a reason");
        }
        Path file = folder.resolve("operator-statuses");
        String whole = Files.readString(file);
        assertThat(whole).contains("DRAINING\t").contains("\ti\ta reason\n");
        Files.writeString(file, whole.substring(0, whole.length() - 4));

        assertThatThrownBy(() -> Node.start(config()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("operator-statuses");
        Files.writeString(file, whole);
        Node.start(config()).close();
    }

    @Test
    void wildcardIsNeverAdvertised() {
        NodeConfig config = config("node.listen", "0.0.0.0:7");
        try {
            assertThat(Advertised.of(config, 7).host().toString()).isNotEqualTo("0.0.0.0");
            assertThat(Advertised.of(config, 7).host().address())
                    .get()
                    .satisfies(
                            address -> assertThat(address.isLoopbackAddress()).isFalse());
        } catch (InvalidConfig e) {
            assertThat(e.key()).isEqualTo("node.advertise"); // a machine with nothing but the loopback
        }
        assertThat(Advertised.of(config("node.listen", "[::1]:0"), 9)).hasToString("[::1]:9");
        assertThat(Advertised.of(config("node.advertise", "a.example:1"), 9)).hasToString("a.example:1");
    }
}
