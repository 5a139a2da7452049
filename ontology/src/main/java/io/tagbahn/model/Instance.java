// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Map;
import java.util.TreeMap;

/**
 * One running copy of a service.
 *
 * @param port the main port, 1..65535
 * @param namedPorts further ports by name, at most 64
 * @param weight share of the traffic, 0..65535; one of 0 is handed out and takes no traffic from clients that balance
 * @param metadata free text by key, at most 65536 bytes of UTF-8 in all
 * @param status what the instance says of itself
 */
public record Instance(
        InstanceId id,
        ServiceName serviceName,
        Host host,
        int port,
        Map<String, Integer> namedPorts,
        Locality locality,
        int weight,
        Map<String, String> metadata,
        InstanceStatus status) {

    public static final int WEIGHT_DEFAULT = 100;
    public static final int WEIGHT_MAX = 65535;
    public static final int NAMED_PORTS_MAX = 64;
    public static final int PORT_NAME_BYTES_MAX = 255;
    public static final int METADATA_BYTES_MAX = 65536;

    /** @throws InvalidArgument naming the field that is out of its range */
    public Instance {
        checkPort("port", port);
        if (weight < 0 || weight > WEIGHT_MAX) {
            throw new InvalidArgument("weight", weight + " is not within 0.." + WEIGHT_MAX);
        }
        if (namedPorts.size() > NAMED_PORTS_MAX) {
            throw new InvalidArgument("namedPorts", namedPorts.size() + " entries; at most " + NAMED_PORTS_MAX);
        }
        namedPorts.forEach((name, value) -> {
            Text.checked("namedPorts", name, PORT_NAME_BYTES_MAX);
            checkPort("namedPorts[" + name + "]", value);
        });
        checkMetadata(metadata);
        namedPorts = Map.copyOf(namedPorts);
        metadata = Map.copyOf(metadata);
    }

    /** An instance of which no more is known than what is needed to call it. */
    public static Instance of(ServiceName serviceName, HostPort address) {
        return new Instance(
                InstanceId.of(serviceName, address.host(), address.port()),
                serviceName,
                address.host(),
                address.port(),
                Map.of(),
                Locality.UNKNOWN,
                WEIGHT_DEFAULT,
                Map.of(),
                InstanceStatus.UP);
    }

    public HostPort address() {
        return new HostPort(host, port);
    }

    public Instance withId(InstanceId newId) {
        return new Instance(newId, serviceName, host, port, namedPorts, locality, weight, metadata, status);
    }

    public Instance withNamedPorts(Map<String, Integer> newPorts) {
        return new Instance(id, serviceName, host, port, newPorts, locality, weight, metadata, status);
    }

    public Instance withLocality(Locality newLocality) {
        return new Instance(id, serviceName, host, port, namedPorts, newLocality, weight, metadata, status);
    }

    public Instance withWeight(int newWeight) {
        return new Instance(id, serviceName, host, port, namedPorts, locality, newWeight, metadata, status);
    }

    public Instance withMetadata(Map<String, String> newMetadata) {
        return new Instance(id, serviceName, host, port, namedPorts, locality, weight, newMetadata, status);
    }

    public Instance withStatus(InstanceStatus newStatus) {
        return newStatus == status
                ? this
                : new Instance(id, serviceName, host, port, namedPorts, locality, weight, metadata, newStatus);
    }

    private static void checkPort(String field, int port) {
        if (port < 1 || port > 65535) {
            throw new InvalidArgument(field, port + " is not within 1..65535");
        }
    }

    private static void checkMetadata(Map<String, String> metadata) {
        long bytes = 0;
        for (Map.Entry<String, String> entry : new TreeMap<>(metadata).entrySet()) {
            int key = Text.utf8Bytes(entry.getKey());
            int value = Text.utf8Bytes(entry.getValue());
            if (key < 0 || value < 0) {
                throw new InvalidArgument("metadata", "holds a lone surrogate, which is no Unicode character");
            }
            if (key == 0) {
                throw new InvalidArgument("metadata", "holds an empty key");
            }
            bytes += key + value;
        }
        if (bytes > METADATA_BYTES_MAX) {
            throw new InvalidArgument("metadata", bytes + " bytes of UTF-8 in all; at most " + METADATA_BYTES_MAX);
        }
    }
}
