// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.InstanceStatus;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.ServicePeer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What has gone wrong in other registries, tried on a real node over Thrift. */
class FieldFaultsTest {

    private static final List<String> ODD = List.of(
            "/",
            "//",
            "#",
            "?",
            "%",
            "%2F",
            "%00",
            " ",
            "\t",
            "\u2028",
            "\u00E9",
            "\u4E2D",
            "\uD83D\uDE00",
            ".",
            "..",
            "a",
            "&",
            "=",
            "\\",
            "\"",
            "'",
            "+",
            ";",
            "\u00A0",
            "\u0000");

    @TempDir
    private Path folder;

    private Node node;
    private TestingCaller caller;

    @BeforeEach
    void start() {
        node = Node.start(NodeConfig.parse(Map.of("node.listen", "127.0.0.1:0", "node.data-dir", folder.toString())));
        caller = new TestingCaller(node.address());
    }

    @AfterEach
    void stop() {
        caller.close();
        node.close();
    }

    /** Slashes, percent signs, blanks: refused with a reason, or good for everything that is done with an id. */
    @Test
    void oddIdIsRefusedAtRegistrationOrCanBeReadAndRemoved() {
        SplittableRandom random = new SplittableRandom(16);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            StringBuilder id = new StringBuilder();
            for (int part = 1 + random.nextInt(4); part > 0; part--) {
                id.append(ODD.get(random.nextInt(ODD.size())));
            }
            if (usable(id.toString())) {
                accepted++;
            } else {
                refused++;
            }
            assertThat(caller.allNames(10)).as("after %s", id).isEmpty();
        }
        assertThat(accepted).isGreaterThan(50);
        assertThat(refused).isGreaterThan(10);
    }

    private boolean usable(String id) {
        long generation;
        try {
            generation = caller.register(instance(id, "s", "10.0.0.1", 80), "t").getGeneration();
        } catch (InvalidArgument e) {
            assertThat(e.field()).isEqualTo("instance.id");
            assertThat(e.reason()).isNotEmpty();
            return false;
        }
        assertThat(caller.discover("s"))
                .extracting(peer -> peer.getInstance().getId())
                .containsExactly(id);
        assertThat(caller.heartbeat(new LeaseRef(id, generation)).getUnknown()).isEmpty();
        caller.setStatus(id, InstanceStatus.DRAINING, "odd");
        assertThatThrownBy(() -> caller.discover("s")).isInstanceOf(NoPeersAvailable.class);
        caller.setStatus(id, InstanceStatus.UP, null);
        caller.deregister(id, generation);
        assertThat(caller.heartbeat(new LeaseRef(id, generation)).getUnknown()).hasSize(1);
        return true;
    }

    @Test
    void lateHeartbeatStatusOrRegistrationDoesNotBringAnInstanceBack() {
        RegisterQuery query = new RegisterQuery(instance("i", "s", "10.0.0.1", 80), List.of("t"));
        long generation = caller.register(query).getGeneration();
        caller.setStatus("i", InstanceStatus.DRAINING, null);
        caller.deregister("i", generation);

        assertThat(caller.heartbeat(new LeaseRef("i", generation)).getUnknown()).hasSize(1);
        caller.setStatus("i", InstanceStatus.UP, null);
        for (long late = generation - 1; late <= generation; late++) {
            query.setGeneration(late);
            assertThatThrownBy(() -> caller.register(query))
                    .isInstanceOfSatisfying(
                            StaleGeneration.class,
                            error -> assertThat(error.current()).isEqualTo(generation));
        }
        assertThat(caller.allNames(10)).isEmpty();
        assertThat(caller.status().getInstances()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "::1, ::1",
        "[::1], ::1",
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
        "[2001:db8::1], 2001:db8::1",
        "::ffff:10.0.0.9, 10.0.0.9",
        "::FFFF:0a00:0009, 10.0.0.9",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3"
    })
    void legalFormsOfAnAddressComeBackInOne(String given, String canonical) throws Exception {
        caller.register(instance("i", "s", given, 80));

        ServicePeer peer = caller.discover("s").get(0);
        assertThat(peer.getInstance().getHost()).isEqualTo(canonical);
        byte[] expected = InetAddress.getByName(canonical).getAddress();
        if (expected.length == 4) {
            assertThat(peer.getIp().getIpv4())
                    .isEqualTo(ByteBuffer.wrap(expected).getInt());
        } else {
            assertThat(peer.getIp().getIpv6()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fe80::1%eth0",
                "::1%lo",
                "[::1]:80",
                "[::1",
                "::1]",
                ":::",
                "1::2::3",
                "12345::",
                "10.0.0",
                "[10.0.0.1]",
                "a b",
                ""
            })
    void illegalFormsOfAnAddressAreRefusedAtRegistration(String given) {
        assertThatThrownBy(() -> caller.register(instance("i", "s", given, 80)))
                .isInstanceOfSatisfying(
                        InvalidArgument.class,
                        error -> assertThat(error.field()).isEqualTo("instance.host"));
        assertThat(caller.allNames(10)).isEmpty();
    }

    @Test
    void addressThatComesBackCanBeCalled() throws Exception {
        for (String loopback : List.of("127.0.0.1", "[::1]", "::ffff:127.0.0.1")) {
            Instance registered = instance("i", "s", loopback, 1);
            try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getByName(loopback))) {
                caller.register(registered.setPort(service.getLocalPort()));
                ServicePeer peer = caller.discover("s").get(0);
                byte[] address = peer.getIp().isSetIpv4()
                        ? ByteBuffer.allocate(4).putInt(peer.getIp().getIpv4()).array()
                        : peer.getIp().getIpv6();
                try (Socket socket = new Socket(InetAddress.getByAddress(address), peer.getPort())) {
                    assertThat(socket.isConnected()).isTrue();
                }
            }
        }
    }

    @Test
    void serviceThatIsGoneLeavesItsNamesAtOnceAndMayComeBack() {
        List<String> before = caller.allNames(100);
        for (int round = 0; round < 3; round++) {
            List<LeaseRef> leases = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Instance shortLived = instance("i" + i, "service-" + i, "10.0.0.1", 80);
                leases.add(new LeaseRef(
                        "i" + i, caller.register(shortLived, "tag-" + i).getGeneration()));
            }
            assertThat(caller.allNames(100_000)).hasSize(600);
            for (LeaseRef lease : leases) {
                caller.deregister(lease.getInstanceId(), lease.getGeneration());
            }
            assertThat(caller.allNames(100)).isEqualTo(before);
        }
    }
}
