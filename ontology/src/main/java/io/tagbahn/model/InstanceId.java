// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/**
 * The identity of one running copy of a service, unique in the registry; compared character by character.
 *
 * <p>1..512 bytes of UTF-8, no control or line-separating characters, no blanks at either end. Slashes, percent signs,
 * hashes, question marks and letters of any script are allowed and mean nothing.
 */
public record InstanceId(String value) implements Comparable<InstanceId> {

    /** Longest id, in bytes of UTF-8. */
    public static final int BYTES_MAX = 512;

    /** @throws InvalidArgument where the id is not allowed */
    public InstanceId {
        Text.checked("id", value, BYTES_MAX);
        if (Text.hasOuterBlank(value)) {
            throw new InvalidArgument("id", "begins or ends with a blank");
        }
    }

    /** The id of an instance that names none: {@code serviceName/host:port}. */
    public static InstanceId of(ServiceName serviceName, Host host, int port) {
        return new InstanceId(serviceName.value() + "/" + new HostPort(host, port));
    }

    @Override
    public int compareTo(InstanceId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
