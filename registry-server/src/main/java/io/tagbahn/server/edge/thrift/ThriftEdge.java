// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.edge.Answer;
import io.tagbahn.server.service.FoundPeers;
import io.tagbahn.server.service.NamesQuery;
import io.tagbahn.server.service.PeersByTag;
import io.tagbahn.server.service.RegistryService;
import io.tagbahn.server.store.Peer;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.DiscoveryResult;
import io.tagbahn.thrift.LeaseGrant;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.Registry;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.StatusQuery;
import io.tagbahn.thrift.TagDiscoveryResult;
import io.tagbahn.wire.WireCluster;
import io.tagbahn.wire.WireDiscovery;
import io.tagbahn.wire.WireInstance;
import io.tagbahn.wire.WireLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The methods of the Thrift API, each a call of {@link RegistryService}. */
public final class ThriftEdge {

    private final RegistryService registry;
    private final FrontDoor door;

    private ThriftEdge(RegistryService registry, FrontDoor door) {
        this.registry = registry;
        this.door = door;
    }

    /** @param door that has let the calls in */
    public static RpcService serviceOf(RegistryService registry, FrontDoor door) {
        ThriftEdge edge = new ThriftEdge(registry, door);
        RpcService.Builder service = RpcService.builder();
        edge.addWrites(service);
        edge.addReads(service);
        edge.addCluster(service);
        return service.build();
    }

    private void addWrites(RpcService.Builder service) {
        service.method(
                "register",
                Registry.register_args::new,
                (arguments, call) -> Answer.of(
                        new Registry.register_result(),
                        () -> register(arguments.getQuery(), call),
                        Registry.register_result::setSuccess));
        service.method(
                "advertise",
                Discovery.advertise_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.advertise_result(),
                        () -> register(arguments.getQuery(), call),
                        Discovery.advertise_result::setSuccess));
        service.method(
                "heartbeat",
                Discovery.heartbeat_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.heartbeat_result(),
                        () -> registry.heartbeat(
                                        WireLease.fromWire(arguments.getQuery()),
                                        context(arguments.getQuery().getContext(), call))
                                .thenApply(WireLease::toWire),
                        Discovery.heartbeat_result::setSuccess));
        service.method(
                "deregister",
                Discovery.deregister_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.deregister_result(),
                        () -> {
                            LeaseRef lease = WireLease.fromWire(
                                    "lease", arguments.getQuery().getLease());
                            return registry.deregister(
                                    lease, context(arguments.getQuery().getContext(), call));
                        },
                        (result, done) -> {}));
        service.method(
                "setStatus",
                Discovery.setStatus_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.setStatus_result(),
                        () -> setStatus(arguments.getQuery(), call),
                        (result, done) -> {}));
    }

    private void addReads(RpcService.Builder service) {
        service.method(
                "discover",
                Discovery.discover_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.discover_result(),
                        () -> registry.discover(
                                        arguments.getQuery().getServiceName(),
                                        context(arguments.getQuery().getContext(), call))
                                .thenApply(ThriftEdge::toWire),
                        Discovery.discover_result::setSuccess));
        service.method(
                "tagDiscover",
                Discovery.tagDiscover_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.tagDiscover_result(),
                        () -> registry.tagDiscover(
                                        arguments.getQuery().getServiceTags(),
                                        context(arguments.getQuery().getContext(), call))
                                .thenApply(ThriftEdge::toWire),
                        Discovery.tagDiscover_result::setSuccess));
        service.method(
                "serviceNames",
                Discovery.serviceNames_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.serviceNames_result(),
                        () -> registry.serviceNames(
                                        fromWire(arguments.getQuery()),
                                        context(arguments.getQuery().getContext(), call))
                                .thenApply(WireDiscovery::toWire),
                        Discovery.serviceNames_result::setSuccess));
    }

    private void addCluster(RpcService.Builder service) {
        service.method(
                "members",
                Discovery.members_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.members_result(),
                        () -> registry.members(context(arguments.getContext(), call))
                                .thenApply(members -> members.stream()
                                        .map(WireCluster::toWire)
                                        .toList()),
                        Discovery.members_result::setSuccess));
        service.method(
                "owners",
                Discovery.owners_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.owners_result(),
                        () -> registry.owners(arguments.getTag(), context(arguments.getContext(), call)),
                        Discovery.owners_result::setSuccess));
        service.method(
                "status",
                Discovery.status_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.status_result(),
                        () -> CompletableFuture.completedFuture(WireCluster.toWire(registry.status())),
                        Discovery.status_result::setSuccess));
    }

    private CompletionStage<LeaseGrant> register(RegisterQuery query, RpcCall call) {
        CallContext context = context(query.getContext(), call);
        return registry.register(WireLease.fromWire(query), context).thenApply(WireLease::toWire);
    }

    private CompletionStage<Void> setStatus(StatusQuery query, RpcCall call) {
        InstanceId id;
        try {
            id = new InstanceId(query.getInstanceId());
        } catch (InvalidArgument e) {
            throw e.at("instanceId");
        }
        return registry.setStatus(
                id,
                WireInstance.fromWire(query.getStatus()),
                Optional.ofNullable(query.getReason()),
                context(query.getContext(), call));
    }

    private CallContext context(io.tagbahn.thrift.@Nullable CallContext wire, RpcCall call) {
        return door.admitted(wire, call);
    }

    private static NamesQuery fromWire(ServiceNamesQuery query) {
        return new NamesQuery(
                query.isSetPrefix() ? query.getPrefix() : "",
                query.isSetLimit() ? OptionalInt.of(query.getLimit()) : OptionalInt.empty(),
                Optional.ofNullable(query.getCursor()));
    }

    private static DiscoveryResult toWire(FoundPeers found) {
        DiscoveryResult result = new DiscoveryResult(peers(found.peers()));
        if (found.degraded()) {
            result.setDegraded(true);
        }
        return result;
    }

    static TagDiscoveryResult toWire(PeersByTag found) {
        Map<String, List<ServicePeer>> peers = new HashMap<>(2 * found.peers().size());
        found.peers().forEach((tag, instances) -> peers.put(tag, peers(instances)));
        TagDiscoveryResult result = new TagDiscoveryResult(peers);
        if (found.degraded()) {
            result.setDegraded(true);
        }
        return result;
    }

    static List<ServicePeer> peers(List<Peer> peers) {
        List<ServicePeer> wire = new ArrayList<>(peers.size());
        for (Peer peer : peers) {
            wire.add(peer.form(ServicePeer.class, WireInstance::toPeer));
        }
        return wire;
    }
}
