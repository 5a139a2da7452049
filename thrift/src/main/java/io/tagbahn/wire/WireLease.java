// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagWarning;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.RegisterQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Registrations, heartbeats and what they are answered with, on the wire. */
public final class WireLease {

    private WireLease() {}

    /**
     * Reads a registration as a caller sent it.
     *
     * @throws InvalidArgument naming the field, a tag by its index
     * @throws InvalidServiceName where the instance's name is not allowed
     */
    public static RegisterRequest fromWire(RegisterQuery wire) {
        return new RegisterRequest(
                WireInstance.fromWire(wire.getInstance()),
                tags("serviceTags", wire.getServiceTags()),
                lease(wire),
                fromWire(wire.getMode()),
                generation(wire));
    }

    public static RegisterQuery toWire(RegisterRequest request, CallContext context) {
        List<String> tags = new ArrayList<>(request.tags().size());
        request.tags().forEach(tag -> tags.add(tag.spelling()));
        return query(request.instance(), tags, request.lease(), request.mode(), request.generation())
                .setContext(WireContext.toWire(context));
    }

    /** A registration that another node has read; its tags are taken as they are. */
    static RegisterCommand command(RegisterQuery wire) {
        return new RegisterCommand(
                WireInstance.fromWire(wire.getInstance()),
                wire.getServiceTags(),
                lease(wire),
                fromWire(wire.getMode()),
                generation(wire));
    }

    static RegisterQuery toWire(RegisterCommand command) {
        return query(command.instance(), command.tags(), command.lease(), command.mode(), command.generation());
    }

    private static RegisterQuery query(
            Instance instance,
            List<String> tags,
            Optional<Duration> lease,
            RegisterMode mode,
            OptionalLong generation) {
        RegisterQuery wire = new RegisterQuery(WireInstance.toWire(instance), tags);
        lease.ifPresent(length -> wire.setLeaseMillis(length.toMillis()));
        generation.ifPresent(wire::setGeneration);
        return wire.setMode(
                switch (mode) {
                    case REPLACE -> io.tagbahn.thrift.RegisterMode.REPLACE;
                    case ADD -> io.tagbahn.thrift.RegisterMode.ADD;
                    case REMOVE -> io.tagbahn.thrift.RegisterMode.REMOVE;
                });
    }

    private static Optional<Duration> lease(RegisterQuery wire) {
        return wire.isSetLeaseMillis() ? Optional.of(Duration.ofMillis(wire.getLeaseMillis())) : Optional.empty();
    }

    private static OptionalLong generation(RegisterQuery wire) {
        return wire.isSetGeneration() ? OptionalLong.of(wire.getGeneration()) : OptionalLong.empty();
    }

    /** Parses tags in order; the first bad one is reported as {@code field[index]}. */
    public static List<Tag> tags(String field, List<String> texts) {
        List<Tag> tags = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            try {
                tags.add(Tag.parse(texts.get(i)));
            } catch (InvalidArgument e) {
                throw e.at(field + "[" + i + "]");
            }
        }
        return tags;
    }

    public static io.tagbahn.thrift.LeaseGrant toWire(LeaseGrant grant) {
        io.tagbahn.thrift.LeaseGrant wire = new io.tagbahn.thrift.LeaseGrant(
                grant.instanceId().value(),
                grant.generation(),
                grant.lease().toMillis(),
                grant.heartbeat().toMillis(),
                grant.copiesMade(),
                grant.copiesWanted());
        if (!grant.warnings().isEmpty()) {
            wire.setWarnings(grant.warnings().stream()
                    .map(warning -> new io.tagbahn.thrift.TagWarning(warning.tag(), warning.message()))
                    .toList());
        }
        return wire;
    }

    /** @throws RegistryFault where the registry's answer is not valid */
    public static LeaseGrant fromWire(io.tagbahn.thrift.LeaseGrant wire) {
        List<TagWarning> warnings = new ArrayList<>();
        if (wire.isSetWarnings()) {
            wire.getWarnings().forEach(warning -> warnings.add(new TagWarning(warning.getTag(), warning.getMessage())));
        }
        return new LeaseGrant(
                answeredId(wire.getInstanceId()),
                wire.getGeneration(),
                Duration.ofMillis(wire.getLeaseMillis()),
                Duration.ofMillis(wire.getHeartbeatMillis()),
                wire.getCopiesMade(),
                wire.getCopiesWanted(),
                warnings);
    }

    /**
     * Reads a lease as a caller sent it.
     *
     * @param field where it stands in the call
     * @throws InvalidArgument with a field below {@code field}
     */
    public static LeaseRef fromWire(String field, io.tagbahn.thrift.LeaseRef wire) {
        try {
            if (wire.getGeneration() < 0) {
                throw new InvalidArgument("generation", wire.getGeneration() + " is not within 0..");
            }
            return new LeaseRef(id(wire.getInstanceId()), wire.getGeneration());
        } catch (InvalidArgument e) {
            throw e.within(field);
        }
    }

    private static InstanceId id(String text) {
        try {
            return new InstanceId(text);
        } catch (InvalidArgument e) {
            throw e.at("instanceId");
        }
    }

    public static List<LeaseRef> fromWire(HeartbeatQuery wire) {
        List<LeaseRef> leases = new ArrayList<>(wire.getLeasesSize());
        for (int i = 0; i < wire.getLeasesSize(); i++) {
            leases.add(fromWire("leases[" + i + "]", wire.getLeases().get(i)));
        }
        return leases;
    }

    public static io.tagbahn.thrift.LeaseRef toWire(LeaseRef lease) {
        return new io.tagbahn.thrift.LeaseRef(lease.instanceId().value(), lease.generation());
    }

    public static io.tagbahn.thrift.HeartbeatResult toWire(HeartbeatResult result) {
        io.tagbahn.thrift.HeartbeatResult wire = new io.tagbahn.thrift.HeartbeatResult(toWire(result.unknown()));
        if (!result.superseded().isEmpty()) {
            wire.setSuperseded(toWire(result.superseded()));
        }
        return wire;
    }

    /** @throws RegistryFault where the registry's answer is not valid */
    public static HeartbeatResult fromWire(io.tagbahn.thrift.HeartbeatResult wire) {
        return new HeartbeatResult(
                answeredLeases(wire.getUnknown()),
                wire.isSetSuperseded() ? answeredLeases(wire.getSuperseded()) : List.of());
    }

    public static List<io.tagbahn.thrift.LeaseRef> toWire(List<LeaseRef> leases) {
        List<io.tagbahn.thrift.LeaseRef> wire = new ArrayList<>(leases.size());
        leases.forEach(lease -> wire.add(toWire(lease)));
        return wire;
    }

    private static List<LeaseRef> answeredLeases(List<io.tagbahn.thrift.LeaseRef> wire) {
        return wire.stream()
                .map(lease -> new LeaseRef(answeredId(lease.getInstanceId()), lease.getGeneration()))
                .toList();
    }

    private static InstanceId answeredId(String text) {
        try {
            return new InstanceId(text);
        } catch (InvalidArgument e) {
            throw new RegistryFault("the registry sent an instance id that is not valid: " + e.getMessage());
        }
    }

    private static RegisterMode fromWire(io.tagbahn.thrift.@Nullable RegisterMode wire) {
        if (wire == null) {
            return RegisterMode.REPLACE;
        }
        return switch (wire) {
            case REPLACE -> RegisterMode.REPLACE;
            case ADD -> RegisterMode.ADD;
            case REMOVE -> RegisterMode.REMOVE;
        };
    }
}
