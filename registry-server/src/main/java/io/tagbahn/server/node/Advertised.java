// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The address under which others reach a node. */
final class Advertised {

    private Advertised() {}

    /**
     * What the settings say, or what follows from where the node listens.
     *
     * @param boundPort the port that the node listens on
     * @throws InvalidConfig where it listens on all addresses and the machine has none that others could reach
     */
    static HostPort of(NodeConfig config, int boundPort) {
        return config.advertise()
                .orElseGet(() -> new HostPort(
                        config.listen().isWildcard()
                                ? detected()
                                : config.listen().host(),
                        boundPort));
    }

    private static Host detected() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .filter(Advertised::isUsable)
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .map(Advertised::address)
                    .flatMap(Optional::stream)
                    .findFirst()
                    .map(address -> Host.ofAddress(address.getAddress()))
                    .orElseThrow(() -> new InvalidConfig(
                            "node.advertise",
                            "",
                            "the machine has no address but the loopback: give one under which others reach the node"));
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isUsable(NetworkInterface network) {
        try {
            return network.isUp() && !network.isLoopback() && !network.isPointToPoint();
        } catch (SocketException e) {
            return false; // it went away while we looked
        }
    }

    /** IPv4 before IPv6, which is often there without leading anywhere; never an address of the link alone. */
    private static Optional<InetAddress> address(NetworkInterface network) {
        List<InetAddress> addresses = Collections.list(network.getInetAddresses()).stream()
                .filter(address -> !address.isLinkLocalAddress() && !address.isAnyLocalAddress())
                .toList();
        return addresses.stream()
                .filter(Inet4Address.class::isInstance)
                .findFirst()
                .or(() -> addresses.stream().findFirst());
    }
}
