// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.server.swim.SwimCounter;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.MemberState;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that find each other, over sockets of the loopback. */
final class GossipTest {

    @TempDir
    private Path folder;

    @Test
    void threeNodesFindEachOtherThroughOneAndAnswerForAll() {
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("a");
            nodes.start("b", nodes.address("a"));
            nodes.start("c", nodes.address("b"));
            nodes.awaitAgreement();
            try (TestingCaller a = nodes.caller("a");
                    TestingCaller c = nodes.caller("c")) {
                assertThat(a.register(instance("i", "books", "10.0.0.1", 80), "urn:x")
                                .getCopiesMade())
                        .isEqualTo(3);
                assertThat(c.tagDiscover("urn:x").get("urn:x")).hasSize(1);
                assertThat(a.owners("urn:x")).hasSize(3).isEqualTo(c.owners("urn:x"));
                assertThat(a.members(null))
                        .allSatisfy(member -> assertThat(member.getRingShare()).isBetween(0.2, 0.5));
            }
            assertThat(nodes.node("b").status().replicas()).isEqualTo(3);
        }
    }

    /** FF-18: the node that all others name as their only seed starts again, with no seed of its own. */
    @Test
    void onlySeedThatStartsAgainFindsItsClusterAndAnswersNothingEmpty() {
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            String listen = "127.0.0.1:" + nodes.start("a").address().getPort();
            String seed = nodes.address("a");
            nodes.start("b", seed);
            nodes.start("c", seed);
            nodes.awaitAgreement();
            try (TestingCaller b = nodes.caller("b")) {
                b.register(new RegisterQuery(instance("i", "books", "10.0.0.1", 80), List.of("urn:x"))
                        .setLeaseMillis(3_600_000));
            }
            nodes.kill("a");
            // The port after that of callers may have become that of any connection.
            nodes.start("a", listen, Map.of("cluster.listen", "127.0.0.1:0"));
            try (TestingCaller a = nodes.caller("a")) {
                // It answers from the moment that it has started, and never that there is nothing.
                assertThat(a.tagDiscoverResult(new TagDiscoveryQuery(List.of("urn:x"))
                                        .setContext(new CallContext().setDeadlineMillis(20_000)))
                                .getPeers())
                        .containsOnlyKeys("urn:x");
            }
            nodes.awaitAgreement();
        }
    }

    @Test
    void killedNodeIsNoticedAndBackAtItsAddressSoonAfterItsStart() {
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("a");
            nodes.start("b", nodes.address("a"));
            nodes.start("c", nodes.address("a"));
            nodes.awaitAgreement();
            String address = nodes.address("c");
            String forMembers = nodes.node("c").memberAddress().orElseThrow().toString();
            nodes.kill("c");
            try (TestingCaller a = nodes.caller("a")) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> GossipingNodes.member(a, "c").getState() == MemberState.DEAD);
                nodes.awaitAgreement();
                long incarnation = GossipingNodes.member(a, "c").getIncarnation();
                // No seeds: what it remembers is enough.
                nodes.start("c", address, Map.of("cluster.listen", forMembers));
                nodes.awaitAgreement();
                assertThat(GossipingNodes.member(a, "c").getIncarnation()).isGreaterThan(incarnation);
            }
        }
    }

    @Test
    void nodeThatLeavesIsNoMemberAnyMoreWhenItHasStopped() {
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("a");
            nodes.start("b", nodes.address("a"));
            nodes.start("c", nodes.address("a"));
            nodes.awaitAgreement();
            nodes.leave("b");
            try (TestingCaller a = nodes.caller("a");
                    TestingCaller c = nodes.caller("c")) {
                for (TestingCaller caller : List.of(a, c)) {
                    await().atMost(Duration.ofSeconds(2))
                            .until(() -> GossipingNodes.member(caller, "b").getState() == MemberState.LEFT);
                }
            }
        }
    }

    @Test
    void nodesThatJoinAtOnceAgree() {
        ExecutorService starters = Executors.newFixedThreadPool(8);
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("n0");
            List<CompletableFuture<Node>> starts = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                String id = "n" + i;
                starts.add(CompletableFuture.supplyAsync(() -> nodes.start(id, nodes.address("n0")), starters));
            }
            starts.forEach(CompletableFuture::join);
            nodes.awaitAgreement();
            assertThat(nodes.node("n8").status().ready()).isTrue();
        } finally {
            starters.shutdownNow();
        }
    }

    @Test
    void garbageAtThePortsForMembersIsCountedAndChangesNothing() throws IOException {
        long seed = 17;
        SplittableRandom random = new SplittableRandom(seed);
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("a");
            nodes.start("b", nodes.address("a"));
            nodes.awaitAgreement();
            int port = nodes.node("a").memberAddress().orElseThrow().port();
            try (DatagramSocket socket = new DatagramSocket()) {
                for (int i = 0; i < 500; i++) {
                    byte[] bytes = new byte[random.nextInt(i % 50 == 0 ? 60_000 : 1_500)];
                    random.nextBytes(bytes);
                    socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
                }
            }
            for (int i = 0; i < 20; i++) {
                byte[] bytes = new byte[1 + random.nextInt(5_000)];
                random.nextBytes(bytes);
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                        OutputStream out = socket.getOutputStream()) {
                    out.write(bytes);
                } catch (IOException closedOnUs) {
                    assertThat(closedOnUs).as("seed %d", seed).hasMessageMatching("(?i).*(reset|broken pipe).*");
                }
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() ->
                            nodes.node("a").memberCounts().join().getOrDefault(SwimCounter.BAD_MESSAGES, 0L) > 100);
            nodes.awaitAgreement();
            try (TestingCaller b = nodes.caller("b")) {
                assertThat(b.members(null)).as("seed %d", seed).hasSize(2);
            }
        }
    }

    @Test
    void nodeOfAnotherClusterIsNotTakenIn() {
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("a");
            nodes.start("b", "127.0.0.1:0", Map.of("cluster.name", "other"));
            int port = nodes.node("a").memberAddress().orElseThrow().port();
            assertThatThrownBy(() -> {
                        try (TestingCaller a = nodes.caller("a")) {
                            a.memberAddress("other");
                        }
                    })
                    .hasMessageContaining("another cluster");
            try (TestingCaller a = nodes.caller("a")) {
                assertThat(a.memberAddress("tagbahn")).isEqualTo("127.0.0.1:" + port);
                assertThat(a.members(null)).hasSize(1);
            }
        }
    }

    @Test
    void nodeThatListensToMoreThanTheLoopbackNeedsLeaveToJoin() {
        assertThatThrownBy(() -> Node.start(NodeConfig.parse(Map.of(
                        "node.listen", "0.0.0.0:0",
                        "node.advertise", "127.0.0.1:1",
                        "cluster.seeds", "127.0.0.1:2",
                        "node.data-dir", folder.toString()))))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("cluster.plain");
    }

    @Test
    void damagedMemoryOfMembersIsNoHindrance() throws IOException {
        Files.createDirectories(folder.resolve("a"));
        Files.writeString(folder.resolve("a").resolve("incarnation"), "many\n");
        Files.writeString(folder.resolve("a").resolve("peers"), "nowhere\n\n:::1\n");
        try (GossipingNodes nodes = new GossipingNodes(folder)) {
            nodes.start("a");
            nodes.awaitAgreement();
            assertThat(nodes.node("a").status().ready()).isTrue();
        }
    }
}
