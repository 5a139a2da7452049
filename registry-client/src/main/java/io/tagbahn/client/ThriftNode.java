// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Member;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.TagPeers;
import io.tagbahn.model.Unreachable;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.thrift.DeregisterQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.DiscoveryQuery;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.StatusQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireCluster;
import io.tagbahn.wire.WireContext;
import io.tagbahn.wire.WireDiscovery;
import io.tagbahn.wire.WireErrors;
import io.tagbahn.wire.WireInstance;
import io.tagbahn.wire.WireLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;

/** A node that is called over Thrift. */
final class ThriftNode implements RegistryNode {

    private final HostPort address;
    private final RpcClient rpc;
    private final RpcClient waits;
    private final MeaningNode meaning;

    /**
     * @param rpc for calls that are answered at once
     * @param waits for those that wait for changes: large answers, and many calls at a time, that would be in the way of
     *     others, heartbeats above all
     */
    ThriftNode(HostPort address, RpcClient rpc, RpcClient waits) {
        this.address = address;
        this.rpc = rpc;
        this.waits = waits;
        this.meaning = new ThriftMeaning(this);
    }

    @Override
    public HostPort address() {
        return address;
    }

    @Override
    public CompletionStage<LeaseGrant> advertise(RegisterRequest request, CallContext context) {
        return call(
                "advertise",
                new Discovery.advertise_args(WireLease.toWire(request, context)),
                Discovery.advertise_result::new,
                context,
                result -> WireLease.fromWire(present(result.getSuccess())));
    }

    @Override
    public CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, CallContext context) {
        HeartbeatQuery query = new HeartbeatQuery(WireLease.toWire(leases)).setContext(WireContext.toWire(context));
        return call(
                "heartbeat",
                new Discovery.heartbeat_args(query),
                Discovery.heartbeat_result::new,
                context,
                result -> WireLease.fromWire(present(result.getSuccess())));
    }

    @Override
    public CompletionStage<Void> deregister(LeaseRef lease, CallContext context) {
        DeregisterQuery query = new DeregisterQuery(WireLease.toWire(lease)).setContext(WireContext.toWire(context));
        return done("deregister", new Discovery.deregister_args(query), Discovery.deregister_result::new, context);
    }

    @Override
    public CompletionStage<Void> setStatus(
            InstanceId instance, InstanceStatus status, Optional<String> reason, CallContext context) {
        StatusQuery query =
                new StatusQuery(instance.value(), WireInstance.toWire(status)).setContext(WireContext.toWire(context));
        reason.ifPresent(query::setReason);
        return done("setStatus", new Discovery.setStatus_args(query), Discovery.setStatus_result::new, context);
    }

    @Override
    public CompletionStage<ServicePeers> discover(ServiceName name, CallContext context) {
        DiscoveryQuery query = new DiscoveryQuery(name.value()).setContext(WireContext.toWire(context));
        return call(
                "discover",
                new Discovery.discover_args(query),
                Discovery.discover_result::new,
                context,
                result -> new ServicePeers(
                        WireInstance.fromPeers(present(result.getSuccess()).getPeers()),
                        result.getSuccess().isDegraded()));
    }

    @Override
    public CompletionStage<TagPeers> tagDiscover(List<String> tags, CallContext context) {
        TagDiscoveryQuery query = new TagDiscoveryQuery(tags).setContext(WireContext.toWire(context));
        return call(
                "tagDiscover",
                new Discovery.tagDiscover_args(query),
                Discovery.tagDiscover_result::new,
                context,
                result -> WireDiscovery.fromWire(present(result.getSuccess())));
    }

    @Override
    public CompletionStage<NamesPage> serviceNames(
            Optional<String> prefix, OptionalInt limit, Optional<String> cursor, CallContext context) {
        ServiceNamesQuery query = new ServiceNamesQuery().setContext(WireContext.toWire(context));
        prefix.ifPresent(query::setPrefix);
        limit.ifPresent(query::setLimit);
        cursor.ifPresent(query::setCursor);
        return call(
                "serviceNames",
                new Discovery.serviceNames_args(query),
                Discovery.serviceNames_result::new,
                context,
                result -> WireDiscovery.fromWire(present(result.getSuccess())));
    }

    @Override
    public CompletionStage<List<Member>> members(CallContext context) {
        return call(
                "members",
                new Discovery.members_args(WireContext.toWire(context)),
                Discovery.members_result::new,
                context,
                result -> present(result.getSuccess()).stream()
                        .map(WireCluster::fromWire)
                        .toList());
    }

    @Override
    public CompletionStage<List<String>> owners(String tag, CallContext context) {
        return call(
                "owners",
                new Discovery.owners_args(tag, WireContext.toWire(context)),
                Discovery.owners_result::new,
                context,
                result -> List.copyOf(present(result.getSuccess())));
    }

    @Override
    public CompletionStage<NodeStatus> status(CallContext context) {
        return call(
                "status",
                new Discovery.status_args(WireContext.toWire(context)),
                Discovery.status_result::new,
                context,
                result -> WireCluster.fromWire(present(result.getSuccess())));
    }

    @Override
    public MeaningNode meaning() {
        return meaning;
    }

    @Override
    public void close() {
        waits.close();
        rpc.close();
    }

    <F extends TFieldIdEnum, R extends TBase<R, F>, A extends TBase<?, ?>> CompletionStage<Void> done(
            String method, A arguments, Supplier<R> newResult, CallContext context) {
        return sent(rpc, method, arguments, newResult, context).thenAccept(ThriftNode::throwError);
    }

    <F extends TFieldIdEnum, R extends TBase<R, F>, A extends TBase<?, ?>, T> CompletionStage<T> call(
            String method, A arguments, Supplier<R> newResult, CallContext context, Function<R, T> value) {
        return call(rpc, method, arguments, newResult, context, value);
    }

    /** A call that may wait. */
    <F extends TFieldIdEnum, R extends TBase<R, F>, A extends TBase<?, ?>, T> CompletionStage<T> waiting(
            String method, A arguments, Supplier<R> newResult, CallContext context, Function<R, T> value) {
        return call(waits, method, arguments, newResult, context, value);
    }

    private static <F extends TFieldIdEnum, R extends TBase<R, F>, A extends TBase<?, ?>, T> CompletionStage<T> call(
            RpcClient through,
            String method,
            A arguments,
            Supplier<R> newResult,
            CallContext context,
            Function<R, T> value) {
        return sent(through, method, arguments, newResult, context).thenApply(result -> {
            throwError(result);
            return value.apply(result);
        });
    }

    /** Where too many calls are pending on the connection, it is this client that has no room, not the registry. */
    private static <F extends TFieldIdEnum, R extends TBase<R, F>, A extends TBase<?, ?>> CompletionStage<R> sent(
            RpcClient through, String method, A arguments, Supplier<R> newResult, CallContext context) {
        return through.call(method, arguments, newResult, deadline(context))
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(
                        Failures.unwrap(error) instanceof Overloaded full
                                ? new Unreachable("not sent: " + full.getMessage())
                                : error));
    }

    private static <F extends TFieldIdEnum, R extends TBase<R, F>> void throwError(R result) {
        Optional<RegistryException> error = WireErrors.error(result);
        if (error.isPresent()) {
            throw error.get();
        }
    }

    /** A result may hold neither a value nor an error we know: then a newer node has answered with a newer error. */
    static <T> T present(@org.jspecify.annotations.Nullable T value) {
        if (value == null) {
            throw new RegistryFault("the registry answered with neither a value nor a known error");
        }
        return value;
    }

    private static Duration deadline(CallContext context) {
        return context.deadline().orElseThrow(() -> new IllegalArgumentException("a call without a deadline"));
    }
}
