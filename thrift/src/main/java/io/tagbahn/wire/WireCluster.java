// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Member;
import io.tagbahn.model.MemberState;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.thrift.MemberInfo;
import java.time.Duration;
import java.util.OptionalDouble;

/** What nodes say of themselves and of each other, on the wire. */
public final class WireCluster {

    private WireCluster() {}

    public static MemberInfo toWire(Member member) {
        MemberInfo wire =
                new MemberInfo(member.id(), member.address().toString(), toWire(member.state()), member.incarnation());
        if (!member.locality().equals(Locality.UNKNOWN)) {
            wire.setLocality(WireInstance.toWire(member.locality()));
        }
        member.ringShare().ifPresent(wire::setRingShare);
        return wire;
    }

    /** @throws RegistryFault where the registry's answer is not valid */
    public static Member fromWire(MemberInfo wire) {
        try {
            return new Member(
                    wire.getId(),
                    HostPort.parse(wire.getAddress()),
                    fromWire(wire.getState()),
                    wire.getIncarnation(),
                    WireInstance.fromWire(wire.getLocality()),
                    wire.isSetRingShare() ? OptionalDouble.of(wire.getRingShare()) : OptionalDouble.empty());
        } catch (InvalidArgument e) {
            throw new RegistryFault("the registry sent a member that is not valid: " + e.getMessage());
        }
    }

    public static io.tagbahn.thrift.NodeStatus toWire(NodeStatus status) {
        return new io.tagbahn.thrift.NodeStatus(
                status.id(),
                status.version(),
                status.ready(),
                status.replicas(),
                status.tags(),
                status.instances(),
                status.ontologyVersion(),
                status.uptime().toMillis());
    }

    public static NodeStatus fromWire(io.tagbahn.thrift.NodeStatus wire) {
        return new NodeStatus(
                wire.getId(),
                wire.getVersion(),
                wire.isReady(),
                wire.getReplicas(),
                wire.getTags(),
                wire.getInstances(),
                wire.getOntologyVersion(),
                Duration.ofMillis(wire.getUptimeMillis()));
    }

    private static io.tagbahn.thrift.MemberState toWire(MemberState state) {
        return switch (state) {
            case JOINING -> io.tagbahn.thrift.MemberState.JOINING;
            case ALIVE -> io.tagbahn.thrift.MemberState.ALIVE;
            case SUSPECT -> io.tagbahn.thrift.MemberState.SUSPECT;
            case DEAD -> io.tagbahn.thrift.MemberState.DEAD;
            case LEFT -> io.tagbahn.thrift.MemberState.LEFT;
        };
    }

    private static MemberState fromWire(io.tagbahn.thrift.MemberState wire) {
        return switch (wire) {
            case JOINING -> MemberState.JOINING;
            case ALIVE -> MemberState.ALIVE;
            case SUSPECT -> MemberState.SUSPECT;
            case DEAD -> MemberState.DEAD;
            case LEFT -> MemberState.LEFT;
        };
    }
}
