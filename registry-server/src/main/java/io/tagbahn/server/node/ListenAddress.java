// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where a node listens.
 *
 * @param host an address or name of this machine, or the wildcard address for all of them
 * @param port 0 takes a free one
 */
public record ListenAddress(Host host, int port) {

    private static final String FREE_PORT = ":0";

    public ListenAddress {
        if (port < 0 || port > 65535) {
            throw new InvalidArgument("port", port + " is not within 0..65535");
        }
    }

    /** @throws InvalidArgument with field {@code host} or {@code port} */
    public static ListenAddress parse(String text) {
        if (text.endsWith(FREE_PORT)) {
            // Any port will do to read the host, as long as it is one.
            HostPort anyPort = HostPort.parse(text.substring(0, text.length() - 1) + 1);
            return new ListenAddress(anyPort.host(), 0);
        }
        HostPort address = HostPort.parse(text);
        return new ListenAddress(address.host(), address.port());
    }

    /** Whether it stands for all addresses of the machine. */
    public boolean isWildcard() {
        return host.address().filter(InetAddress::isAnyLocalAddress).isPresent();
    }

    InetSocketAddress socketAddress() {
        return host.address()
                .map(address -> new InetSocketAddress(address, port))
                .orElseGet(() -> new InetSocketAddress(host.toString(), port));
    }

    @Override
    public String toString() {
        return host.toString().indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
