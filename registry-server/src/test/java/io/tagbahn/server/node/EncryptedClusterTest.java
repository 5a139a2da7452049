// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.server.security.KeyFolder;
import io.tagbahn.server.security.TestingKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with keys, over sockets of the loopback. */
final class EncryptedClusterTest {

    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private KeyFolder keys() {
        return TestingKeys.of("tagbahn", folder.resolve("keys"));
    }

    private static Map<String, String> settings(Path keys, String... seeds) {
        return Map.of("cluster.keys-dir", keys.toString(), "cluster.seeds", String.join(",", seeds));
    }

    private void start(GossipingNodes nodes, String id, Path keys, String... seeds) {
        nodes.start(id, "127.0.0.1:0", settings(keys, seeds));
    }

    @Test
    void nodesWithKeysFindEachOtherAndAnswerForAll() {
        KeyFolder keys = keys();
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            start(nodes, "a", keys.of("a"));
            start(nodes, "b", keys.of("b"), nodes.address("a"));
            start(nodes, "c", keys.of("c"), nodes.address("b"));
            nodes.awaitAgreement();
            try (TestingCaller a = nodes.caller("a");
                    TestingCaller c = nodes.caller("c")) {
                assertThat(a.register(instance("i", "books", "10.0.0.1", 80), "urn:x")
                                .getCopiesMade())
                        .isEqualTo(3);
                assertThat(c.tagDiscover("urn:x").get("urn:x")).hasSize(1);
            }
            nodes.leave("b");
            nodes.awaitAgreement();
        }
    }

    @Test
    void keysAreChangedInThreeStepsWhileNodesRunAndComeAndGo() throws IOException {
        KeyFolder keys = keys();
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            start(nodes, "a", keys.of("a"));
            start(nodes, "b", keys.of("b"), nodes.address("a"));
            nodes.awaitAgreement();
            for (KeyFolder.Step step : List.of(KeyFolder.Step.ADDED, KeyFolder.Step.SWITCHED, KeyFolder.Step.AT_REST)) {
                long before = reloads(nodes, "a");
                assertThat(keys.rotate()).isEqualTo(step);
                await().atMost(WAIT_MAX).until(() -> reloads(nodes, "a") > before && reloads(nodes, "b") > 0);
                start(nodes, "c", keys.of("c"), nodes.address("a"));
                nodes.awaitAgreement();
                nodes.kill("c");
                nodes.awaitAgreement();
            }
        }
    }

    private static long reloads(GossipingNodes nodes, String id) {
        return nodes.node(id).counters().join().getOrDefault("keys.reloads", 0L);
    }

    @Test
    void nodeWithoutKeysIsToldWhatItLacks() {
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            start(nodes, "a", keys().of("any"));
            assertThatThrownBy(() -> nodes.start("b", nodes.address("a")))
                    .isInstanceOf(InvalidConfig.class)
                    .hasMessageContaining("cluster.keys-dir");
            assertAlone(nodes, "a");
        }
    }

    @Test
    void nodeWithKeysIsToldThatTheOthersHaveNone() {
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("a");
            Path keys = keys().of("any");
            assertThatThrownBy(() -> start(nodes, "b", keys, nodes.address("a")))
                    .isInstanceOf(InvalidConfig.class)
                    .hasMessageContaining("unencrypted");
            assertAlone(nodes, "a");
        }
    }

    private static void assertAlone(GossipingNodes nodes, String id) {
        try (TestingCaller caller = nodes.caller(id)) {
            assertThat(GossipingNodes.alive(caller)).containsExactly(id);
        }
    }
}
