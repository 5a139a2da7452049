// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tagbahn.server.security.BadKeys;
import io.tagbahn.server.security.ClusterKeys;
import io.tagbahn.server.security.KeyFolder;
import io.tagbahn.server.security.PacketSeal;
import io.tagbahn.server.security.TestingKeys;
import io.tagbahn.server.swim.TestingPackets;
import io.tagbahn.thrift.MemberInfo;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers send to the ports for members of a cluster with keys, and of one without. */
final class HostileMembersTest {

    private static final String CLUSTER = "tagbahn";
    private static final List<String> IDS = List.of("a", "b", "c");
    private static final Duration WAIT_MAX = Duration.ofSeconds(20);
    private static final int ROUNDS = 20;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();

    private GossipingNodes threeNodes(boolean encrypted) {
        KeyFolder keys = TestingKeys.of(CLUSTER, folder.resolve("keys"));
        GossipingNodes nodes = new GossipingNodes(folder);
        for (String id : IDS) {
            Map<String, String> settings = new TreeMap<>();
            settings.put("cluster.seeds", id.equals("a") ? "" : nodes.address("a"));
            if (encrypted) {
                settings.put("cluster.keys-dir", keys.of(id).toString());
            }
            nodes.start(id, "127.0.0.1:0", settings);
        }
        nodes.awaitAgreement();
        return nodes;
    }

    /** A seal of one that has keys. */
    private PacketSeal seal(String authority, String cluster) throws BadKeys {
        KeyFolder keys = TestingKeys.of(authority, cluster, folder.resolve(authority + "-" + cluster));
        ClusterKeys held = ClusterKeys.open(keys.of("any"), cluster, "any", InstantSource.system());
        opened.add(held);
        return held.packets(new SecureRandom(), System::nanoTime);
    }

    private static void send(GossipingNodes nodes, String to, byte[] bytes) throws IOException {
        int port = nodes.node(to).memberAddress().orElseThrow().port();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
        }
    }

    /** Tells every node of the death and the leave of the next one, as the one after it would. */
    private static void forgeDeaths(GossipingNodes nodes, String cluster, UnaryOperator<byte[]> form)
            throws IOException {
        Map<String, Long> incarnations = incarnations(nodes);
        for (int i = 0; i < ROUNDS; i++) {
            for (int at = 0; at < IDS.size(); at++) {
                String victim = IDS.get((at + 1) % IDS.size());
                String accuser = IDS.get((at + 2) % IDS.size());
                long incarnation = incarnations.getOrDefault(victim, 0L) + i % 3;
                send(nodes, IDS.get(at), form.apply(TestingPackets.death(cluster, accuser, victim, incarnation)));
                send(nodes, IDS.get(at), form.apply(TestingPackets.left(cluster, victim, incarnation)));
            }
        }
    }

    private static Map<String, Long> incarnations(GossipingNodes nodes) {
        Map<String, Long> incarnations = new TreeMap<>();
        for (String id : IDS) {
            try (TestingCaller caller = nodes.caller(id)) {
                for (MemberInfo member : caller.members(null)) {
                    incarnations.merge(member.getId(), member.getIncarnation(), Math::max);
                }
            }
        }
        return incarnations;
    }

    private static long count(GossipingNodes nodes, String id, String counter) {
        return nodes.node(id).counters().join().getOrDefault(counter, 0L);
    }

    private static long countAll(GossipingNodes nodes, String counter) {
        return IDS.stream().mapToLong(id -> count(nodes, id, counter)).sum();
    }

    private static void awaitCount(GossipingNodes nodes, String counter, long atLeast) {
        for (String id : IDS) {
            await().alias(counter + " at " + id).atMost(WAIT_MAX).until(() -> count(nodes, id, counter) >= atLeast);
        }
    }

    @Test
    void forgedDeathsWithoutTheKeyAreCountedAndNotHeard() throws Exception {
        try (GossipingNodes nodes = threeNodes(true)) {
            forgeDeaths(nodes, CLUSTER, packet -> packet);
            awaitCount(nodes, "packets.unsealed", 2 * ROUNDS);
            PacketSeal otherKeys = seal("two", CLUSTER);
            forgeDeaths(nodes, CLUSTER, otherKeys::seal);
            awaitCount(nodes, "packets.unopened", 2 * ROUNDS);
            nodes.awaitAgreement();
            // In this order: what is sent in between may not be missing.
            long taken = countAll(nodes, "packets.taken");
            assertThat(taken).isLessThanOrEqualTo(countAll(nodes, "gossip.datagrams-sent"));
        } finally {
            closeAll();
        }
    }

    @Test
    void forgedDeathsOfAnotherClusterAreCountedAndChangeNothing() throws Exception {
        try (GossipingNodes nodes = threeNodes(false)) {
            forgeDeaths(nodes, "another", packet -> packet);
            awaitCount(nodes, "gossip.foreign-messages", 2 * ROUNDS);
            PacketSeal sealed = seal("one", CLUSTER);
            forgeDeaths(nodes, CLUSTER, sealed::seal);
            awaitCount(nodes, "packets.sealed-elsewhere", 2 * ROUNDS);
            nodes.awaitAgreement();
        } finally {
            closeAll();
        }
    }

    @Test
    void packetThatIsSentAgainIsNotHeardAgain() throws Exception {
        try (GossipingNodes nodes = threeNodes(true)) {
            // The nodes' own keys: a packet as one who listens on the network could have recorded it.
            KeyFolder keys = KeyFolder.open(folder.resolve("keys"), new SecureRandom());
            try (ClusterKeys held = ClusterKeys.open(keys.of("b"), CLUSTER, "b", InstantSource.system())) {
                byte[] recorded =
                        held.packets(new SecureRandom(), System::nanoTime).seal(TestingPackets.ping(CLUSTER, "b", "a"));
                for (int i = 0; i < ROUNDS; i++) {
                    send(nodes, "a", recorded);
                    send(nodes, "b", recorded);
                    send(nodes, "c", recorded);
                }
            }
            awaitCount(nodes, "packets.replayed", ROUNDS - 1);
            nodes.awaitAgreement();
        }
    }

    @Test
    void garbageAtEncryptedPortsIsCountedAndAnswersStayRight() throws Exception {
        long seed = 23;
        SplittableRandom random = new SplittableRandom(seed);
        try (GossipingNodes nodes = threeNodes(true);
                TestingCaller a = nodes.caller("a")) {
            a.register(instance("i", "books", "10.0.0.1", 80), "urn:x");
            for (int i = 0; i < 300; i++) {
                byte[] bytes = new byte[1 + random.nextInt(i % 50 == 0 ? 60_000 : 1_500)];
                random.nextBytes(bytes);
                bytes[0] = i % 2 == 0 ? (byte) 0xE1 : bytes[0];
                String to = IDS.get(i % 3);
                send(nodes, to, bytes);
                if (i % 10 == 0) {
                    connectAndSend(nodes, to, bytes);
                }
            }
            for (String id : IDS) {
                try (TestingCaller caller = nodes.caller(id)) {
                    assertThat(caller.tagDiscover("urn:x").get("urn:x"))
                            .as("seed %d", seed)
                            .hasSize(1);
                }
                await().atMost(WAIT_MAX)
                        .until(() -> count(nodes, id, "peer.closed.not-tls") >= 5
                                && count(nodes, id, "packets.unopened") + count(nodes, id, "packets.unsealed") >= 50);
            }
            nodes.awaitAgreement();
        }
    }

    private static void connectAndSend(GossipingNodes nodes, String to, byte[] bytes) {
        int port = nodes.node(to).memberAddress().orElseThrow().port();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(bytes);
        } catch (IOException closedOnUs) {
            assertThat(closedOnUs).hasMessageMatching("(?i).*(reset|broken pipe).*");
        }
    }

    private void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }
}
