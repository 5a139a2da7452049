// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.thrift.DeregisterQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.DiscoveryQuery;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireErrors;
import io.tagbahn.wire.WireLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;

/**
 * A call as it goes over the wire, ready to be sent: to a node, or with the same bytes to an {@linkplain EchoAnswers
 * echo}.
 *
 * @param newResult makes the struct that the answer is read into
 */
public record WireCall<R extends TBase<R, F>, F extends TFieldIdEnum>(
        String method, TBase<?, ?> arguments, Supplier<R> newResult) {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration LEASE = Duration.ofHours(1);

    /** Sends it; errors that the method declares fail the future as well. */
    public CompletableFuture<R> on(RpcClient client) {
        return client.call(method, arguments, newResult, DEADLINE)
                .thenApply(WireCall::checked)
                .toCompletableFuture();
    }

    private static <R extends TBase<R, F>, F extends TFieldIdEnum> R checked(R result) {
        Optional<RegistryException> error = WireErrors.error(result);
        if (error.isPresent()) {
            throw error.get();
        }
        return result;
    }

    /** The same registration as a newer one; another call as it is. */
    public WireCall<R, F> renewed(long generation) {
        if (arguments instanceof Discovery.advertise_args registration) {
            Discovery.advertise_args newer = registration.deepCopy();
            newer.getQuery().setGeneration(generation);
            return new WireCall<>(method, newer, newResult);
        }
        return this;
    }

    /** Tells an echo what to answer to this call from now on: what a node has answered. */
    public WireCall<?, ?> priming(TBase<?, ?> answer) {
        return new WireCall<>(EchoAnswers.PRIME + method, answer, Discovery.deregister_result::new);
    }

    /** A registration for an hour. */
    public static WireCall<?, ?> register(
            ServiceName name, HostPort address, List<Tag> tags, RegisterMode mode, long generation) {
        RegisterRequest request = new RegisterRequest(
                Instance.of(name, address), tags, Optional.of(LEASE), mode, OptionalLong.of(generation));
        return new WireCall<>(
                "advertise",
                new Discovery.advertise_args(WireLease.toWire(request, CallContext.NONE)),
                Discovery.advertise_result::new);
    }

    /** Takes out whatever generation of an instance there is. */
    public static WireCall<?, ?> deregister(ServiceName name, HostPort address) {
        return new WireCall<>(
                "deregister",
                new Discovery.deregister_args(new DeregisterQuery(new LeaseRef(instanceId(name, address), 0))),
                Discovery.deregister_result::new);
    }

    public static WireCall<?, ?> heartbeat(ServiceName name, HostPort address, long generation) {
        return heartbeat(List.of(lease(name, address, generation)));
    }

    /** Of several leases in one call. */
    public static WireCall<?, ?> heartbeat(List<LeaseRef> leases) {
        return new WireCall<>(
                "heartbeat", new Discovery.heartbeat_args(new HeartbeatQuery(leases)), Discovery.heartbeat_result::new);
    }

    public static LeaseRef lease(ServiceName name, HostPort address, long generation) {
        return new LeaseRef(instanceId(name, address), generation);
    }

    public static WireCall<?, ?> discover(ServiceName name) {
        return new WireCall<>(
                "discover",
                new Discovery.discover_args(new DiscoveryQuery(name.value())),
                Discovery.discover_result::new);
    }

    public static WireCall<?, ?> tagDiscover(List<String> tags) {
        return new WireCall<>(
                "tagDiscover",
                new Discovery.tagDiscover_args(new TagDiscoveryQuery(tags)),
                Discovery.tagDiscover_result::new);
    }

    public static WireCall<?, ?> serviceNames() {
        return serviceNames(new ServiceNamesQuery());
    }

    public static WireCall<Discovery.serviceNames_result, ?> serviceNames(ServiceNamesQuery query) {
        return new WireCall<>(
                "serviceNames", new Discovery.serviceNames_args(query), Discovery.serviceNames_result::new);
    }

    private static String instanceId(ServiceName name, HostPort address) {
        return Instance.of(name, address).id().value();
    }
}
