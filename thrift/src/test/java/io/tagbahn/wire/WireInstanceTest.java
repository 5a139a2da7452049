// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.Locality;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.ServiceName;
import io.tagbahn.thrift.IpAddress;
import io.tagbahn.thrift.ServicePeer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireInstanceTest {

    @Test
    void instanceSurvivesTheWayThereAndBack() {
        Instance instance = new Instance(
                new InstanceId("a/b?c#d%20 é"),
                new ServiceName("books"),
                Host.parse("2001:db8::1"),
                8080,
                Map.of("admin", 9090),
                new Locality(Optional.of("n1"), Optional.of("z1"), Optional.empty()),
                0,
                Map.of("version", "1", "empty", ""),
                InstanceStatus.DRAINING);
        assertThat(WireInstance.fromPeer(WireInstance.toPeer(instance))).isEqualTo(instance);
    }

    @Test
    void instanceWithoutAnIdIsNamedAfterItsServiceAndAddress() {
        assertThat(WireInstance.fromWire(wire("books", "[::1]", 80)).id().value())
                .isEqualTo("books/[::1]:80");
    }

    @Test
    void absentFieldsTakeTheirDefaults() {
        assertThat(WireInstance.fromWire(wire("books", "10.0.0.1", 80)))
                .isEqualTo(Instance.of(new ServiceName("books"), HostPort.parse("10.0.0.1:80")));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "::1, ::1",
        "[::1], ::1",
        "::ffff:192.0.2.7, 192.0.2.7",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "::, ::",
        "fe80::, fe80::",
        "Books.Example.ORG, books.example.org",
    })
    void hostIsKeptInOneCanonicalShape(String given, String canonical) {
        assertThat(WireInstance.fromWire(wire("books", given, 80)).host()).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "fe80::1%eth0",
        "[fe80::1%25eth0]",
        "[127.0.0.1]",
        "::1::",
        "1.2.3",
        "256.1.1.1",
        "01.2.3.4",
        "10.0.0.1:80",
        "[::1]:80",
        "-books",
        "a..b",
        "''",
        "12345::",
        "http://books",
        "livros.ação"
    })
    void hostThatIsNoneIsRefusedByName(String given) {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> WireInstance.fromWire(wire("books", given, 80)))
                .satisfies(e -> assertThat(e.field()).isEqualTo("instance.host"));
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "65536", "2147483647"})
    void portOutOfRangeIsRefusedByName(int port) {
        assertThatExceptionOfType(InvalidArgument.class)
                .isThrownBy(() -> WireInstance.fromWire(wire("books", "10.0.0.1", port)))
                .satisfies(e -> assertThat(e.field()).isEqualTo("instance.port"))
                .withMessageContaining("1..65535");
    }

    @Test
    void nameThatIsNotAllowedIsRefusedWithIt() {
        assertThatExceptionOfType(InvalidServiceName.class)
                .isThrownBy(() -> WireInstance.fromWire(wire(":books", "10.0.0.1", 80)))
                .satisfies(e -> assertThat(e.serviceName()).isEqualTo(":books"));
    }

    @Test
    void addressesStandInNetworkByteOrder() {
        assertThat(WireInstance.toPeer(instance("127.0.0.1")).getIp().getIpv4()).isEqualTo(2130706433);
        assertThat(WireInstance.toPeer(instance("::1")).getIp().getIpv6())
                .hasSize(16)
                .endsWith(1);
    }

    @Test
    void hostNameHasNoAddressAndIsInTheInstance() {
        ServicePeer peer = WireInstance.toPeer(instance("books.example.org"));
        assertThat(peer.getIp().getIpv4()).isZero();
        assertThat(peer.getInstance().getHost()).isEqualTo("books.example.org");
    }

    @Test
    void peerThatTheRegistryBrokeIsItsFault() {
        assertThatExceptionOfType(RegistryFault.class)
                .isThrownBy(() -> WireInstance.fromPeer(new ServicePeer(IpAddress.ipv4(1), 80)));
        assertThatExceptionOfType(RegistryFault.class)
                .isThrownBy(() -> WireInstance.fromPeer(
                        new ServicePeer(IpAddress.ipv4(1), 80).setInstance(wire("books", "10.0.0.1", 0))));
    }

    private static Instance instance(String host) {
        return Instance.of(new ServiceName("books"), new HostPort(Host.parse(host), 80));
    }

    private static io.tagbahn.thrift.Instance wire(String name, String host, int port) {
        return new io.tagbahn.thrift.Instance(name, host, port);
    }
}
