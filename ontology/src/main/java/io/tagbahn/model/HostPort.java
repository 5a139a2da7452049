// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** A host and a TCP port, written {@code host:port}, or {@code [address]:port} where the host is an IPv6 address. */
public record HostPort(Host host, int port) {

    /** @throws InvalidArgument with field {@code port} where the port is not 1..65535 */
    public HostPort {
        if (port < 1 || port > 65535) {
            throw new InvalidArgument("port", port + " is not within 1..65535");
        }
    }

    /** @throws InvalidArgument with field {@code host} or {@code port} */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0 || text.endsWith("]")) {
            throw new InvalidArgument("port", "missing: give HOST:PORT, or [IPV6]:PORT");
        }
        String host = text.substring(0, colon);
        if (host.indexOf(':') >= 0 && !host.startsWith("[")) {
            throw new InvalidArgument("host", "an IPv6 address stands in brackets before a port: [ADDRESS]:PORT");
        }
        String digits = text.substring(colon + 1);
        if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new InvalidArgument("port", "'" + digits + "' is not a number within 1..65535");
        }
        return new HostPort(Host.parse(host), Integer.parseInt(digits));
    }

    @Override
    public String toString() {
        String text = host.toString();
        return text.indexOf(':') >= 0 ? "[" + text + "]:" + port : text + ":" + port;
    }
}
