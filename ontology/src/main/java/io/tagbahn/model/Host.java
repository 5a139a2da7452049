// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A host that callers connect to, in one canonical spelling: IPv4 as a dotted quad, IPv6 without brackets as RFC 5952
 * writes it, a host name in lower case.
 *
 * <p>An IPv4-mapped IPv6 address is the IPv4 address that it stands for. A zone index ({@code %eth0}) is refused: it
 * means something on one machine only. No name is ever looked up here.
 */
public final class Host {

    private static final Pattern IPV4 = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");
    private static final int NAME_CHARS_MAX = 253;
    private static final int TEXT_CHARS_MAX = 300;

    private final String value;
    private final Optional<InetAddress> address;

    private Host(String value, Optional<InetAddress> address) {
        this.value = value;
        this.address = address;
    }

    /** @throws InvalidArgument with field {@code host} where the text is no address and no host name */
    public static Host parse(String text) {
        if (text.isEmpty() || text.length() > TEXT_CHARS_MAX) {
            throw new InvalidArgument("host", "an IPv4 or IPv6 address or a host name of at most 253 characters");
        }
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        String bare = bracketed ? text.substring(1, text.length() - 1) : text;
        if (bare.indexOf(':') >= 0) {
            return ofIpv6(bare);
        }
        if (bracketed) {
            throw new InvalidArgument("host", "only an IPv6 address may stand in brackets");
        }
        if (IPV4.matcher(bare).matches()) {
            return ofIpv4(bare);
        }
        return ofName(bare);
    }

    private static Host ofIpv4(String text) {
        byte[] bytes = new byte[4];
        String[] parts = text.split("\\.", -1);
        for (int i = 0; i < 4; i++) {
            int part = Integer.parseInt(parts[i]);
            if (part > 255) {
                throw new InvalidArgument("host", "not an IPv4 address: each part is 0..255");
            }
            bytes[i] = (byte) part;
        }
        return ofAddress(bytes);
    }

    private static Host ofIpv6(String text) {
        if (text.indexOf('%') >= 0) {
            throw new InvalidArgument("host", "a zone index means nothing on other machines: leave it out");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x7F || (Character.digit(c, 16) < 0 && c != ':' && c != '.')) {
                throw new InvalidArgument("host", "not an IPv6 address (a port belongs into its own field)");
            }
        }
        try {
            // With a colon inside, getByName takes a literal address only and never asks a resolver.
            return ofAddress(InetAddress.getByName(text).getAddress());
        } catch (UnknownHostException e) {
            throw new InvalidArgument("host", "not an IPv6 address (a port belongs into its own field)");
        }
    }

    private static Host ofName(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        if (name.length() > NAME_CHARS_MAX) {
            throw new InvalidArgument("host", "a host name has at most " + NAME_CHARS_MAX + " characters");
        }
        String[] labels = name.split("\\.", -1);
        for (String label : labels) {
            if (!LABEL.matcher(label).matches()) {
                throw new InvalidArgument(
                        "host",
                        "not a host name: labels of 1..63 letters, digits, '-' and '_', separated by dots"
                                + " (other scripts in their xn-- form)");
            }
        }
        if (labels[labels.length - 1].chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new InvalidArgument("host", "neither an IPv4 address nor a host name");
        }
        return new Host(name, Optional.empty());
    }

    /** The host with this address: 4 or 16 bytes in network byte order. */
    public static Host ofAddress(byte[] bytes) {
        try {
            InetAddress address = InetAddress.getByAddress(bytes);
            String value = address instanceof Inet4Address ? address.getHostAddress() : rfc5952(address.getAddress());
            return new Host(value, Optional.of(address));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address of " + bytes.length + " bytes", e);
        }
    }

    private static String rfc5952(byte[] bytes) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (bytes[2 * i] & 0xFF) << 8 | (bytes[2 * i + 1] & 0xFF);
        }
        int zerosAt = -1;
        int zeros = 1; // a single zero group is written out
        for (int i = 0; i < 8; i++) {
            int run = 0;
            while (i + run < 8 && groups[i + run] == 0) {
                run++;
            }
            if (run > zeros) {
                zerosAt = i;
                zeros = run;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (i == zerosAt) {
                text.append("::");
                i += zeros - 1;
            } else {
                if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                    text.append(':');
                }
                text.append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    /** The address; absent where the host is given by name. */
    public Optional<InetAddress> address() {
        return address;
    }

    /** The canonical spelling, IPv6 without brackets. */
    @Override
    public String toString() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Host host && value.equals(host.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }
}
