// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.Host;
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
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link Instance} on the wire, by itself and as a peer that discovery hands out. */
public final class WireInstance {

    private WireInstance() {}

    /**
     * Reads an instance as a caller sent it; one without an id gets {@code serviceName/host:port}.
     *
     * @throws InvalidArgument with a field below {@code instance}
     * @throws InvalidServiceName where the name is not allowed
     */
    public static Instance fromWire(io.tagbahn.thrift.Instance wire) {
        ServiceName serviceName = new ServiceName(wire.getServiceName());
        try {
            Host host = Host.parse(wire.getHost());
            int port = wire.getPort();
            return new Instance(
                    wire.isSetId() ? new InstanceId(wire.getId()) : InstanceId.of(serviceName, host, port),
                    serviceName,
                    host,
                    port,
                    wire.isSetNamedPorts() ? wire.getNamedPorts() : Map.of(),
                    fromWire(wire.getLocality()),
                    wire.isSetWeight() ? wire.getWeight() : Instance.WEIGHT_DEFAULT,
                    wire.isSetMetadata() ? wire.getMetadata() : Map.of(),
                    fromWire(wire.getStatus()));
        } catch (InvalidArgument e) {
            throw e.within("instance");
        }
    }

    public static io.tagbahn.thrift.Instance toWire(Instance instance) {
        io.tagbahn.thrift.Instance wire = new io.tagbahn.thrift.Instance(
                instance.serviceName().value(), instance.host().toString(), instance.port());
        wire.setId(instance.id().value());
        if (!instance.namedPorts().isEmpty()) {
            wire.setNamedPorts(instance.namedPorts());
        }
        if (!instance.locality().equals(Locality.UNKNOWN)) {
            wire.setLocality(toWire(instance.locality()));
        }
        wire.setWeight(instance.weight());
        if (!instance.metadata().isEmpty()) {
            wire.setMetadata(instance.metadata());
        }
        wire.setStatus(toWire(instance.status()));
        return wire;
    }

    /** The instance as discovery hands it out: its address first, as Hyperbahn's clients expect it. */
    public static ServicePeer toPeer(Instance instance) {
        return new ServicePeer(ipAddress(instance.host()), instance.port()).setInstance(toWire(instance));
    }

    /** @throws RegistryFault where the registry sent a peer that is no valid instance */
    public static Instance fromPeer(ServicePeer peer) {
        if (!peer.isSetInstance()) {
            throw new RegistryFault("the registry sent a peer without its instance");
        }
        try {
            return fromWire(peer.getInstance());
        } catch (InvalidArgument | InvalidServiceName e) {
            throw new RegistryFault("the registry sent an instance that is not valid: " + e.getMessage());
        }
    }

    public static List<Instance> fromPeers(List<ServicePeer> peers) {
        return peers.stream().map(WireInstance::fromPeer).toList();
    }

    public static Locality fromWire(io.tagbahn.thrift.@Nullable Locality wire) {
        if (wire == null) {
            return Locality.UNKNOWN;
        }
        try {
            return new Locality(
                    Optional.ofNullable(wire.getNode()),
                    Optional.ofNullable(wire.getZone()),
                    Optional.ofNullable(wire.getRegion()));
        } catch (InvalidArgument e) {
            throw e.within("locality");
        }
    }

    public static io.tagbahn.thrift.Locality toWire(Locality locality) {
        io.tagbahn.thrift.Locality wire = new io.tagbahn.thrift.Locality();
        locality.node().ifPresent(wire::setNode);
        locality.zone().ifPresent(wire::setZone);
        locality.region().ifPresent(wire::setRegion);
        return wire;
    }

    /** A status that is absent, or that a newer client knows and we do not, is {@link InstanceStatus#UP}. */
    public static InstanceStatus fromWire(io.tagbahn.thrift.@Nullable InstanceStatus wire) {
        if (wire == null) {
            return InstanceStatus.UP;
        }
        return switch (wire) {
            case UP -> InstanceStatus.UP;
            case DRAINING -> InstanceStatus.DRAINING;
            case OUT_OF_SERVICE -> InstanceStatus.OUT_OF_SERVICE;
        };
    }

    public static io.tagbahn.thrift.InstanceStatus toWire(InstanceStatus status) {
        return switch (status) {
            case UP -> io.tagbahn.thrift.InstanceStatus.UP;
            case DRAINING -> io.tagbahn.thrift.InstanceStatus.DRAINING;
            case OUT_OF_SERVICE -> io.tagbahn.thrift.InstanceStatus.OUT_OF_SERVICE;
        };
    }

    private static IpAddress ipAddress(Host host) {
        Optional<InetAddress> address = host.address();
        if (address.isEmpty()) {
            return IpAddress.ipv4(0);
        }
        byte[] bytes = address.get().getAddress();
        return address.get() instanceof Inet4Address
                ? IpAddress.ipv4(ByteBuffer.wrap(bytes).getInt())
                : IpAddress.ipv6(bytes);
    }
}
