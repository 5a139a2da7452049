// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.CatalogPage;
import io.tagbahn.thrift.CatalogQuery;
import io.tagbahn.thrift.DeregisterQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.DiscoveryQuery;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.HeartbeatResult;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.InstanceStatus;
import io.tagbahn.thrift.LeaseGrant;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.MemberInfo;
import io.tagbahn.thrift.NodeStatus;
import io.tagbahn.thrift.OntologyDocument;
import io.tagbahn.thrift.OntologyInfo;
import io.tagbahn.thrift.OntologyQuery;
import io.tagbahn.thrift.OntologyReceipt;
import io.tagbahn.thrift.PutOntologyQuery;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.Registry;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.SemanticResult;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.ServiceNamesResult;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.StatusQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.thrift.TagDiscoveryResult;
import io.tagbahn.thrift.WatchQuery;
import io.tagbahn.thrift.WatchResult;
import io.tagbahn.thrift.peer.Gossip;
import io.tagbahn.wire.WireErrors;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;
import org.jspecify.annotations.Nullable;

/**
 * A caller of a node over a real connection, that speaks in generated types and waits for each answer. Where a node is
 * busy it asks again when it was told to, as the contract has it: on a slow machine that is nothing unusual.
 */
final class TestingCaller implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration ASK_AGAIN = Duration.ofMillis(50);

    private final RpcLoops loops;
    private final RpcClient client;
    private final Duration deadline;
    private final boolean asksAgain;

    TestingCaller(InetSocketAddress address) {
        this(address, DEADLINE);
    }

    /** @param deadline of each call; so long does one to a node that is gone take */
    TestingCaller(InetSocketAddress address, Duration deadline) {
        this.deadline = deadline;
        this.loops = RpcLoops.start("testing-caller", 1, System::nanoTime);
        this.client = RpcClient.create(loops, address, RpcClientConfig.defaults(), new SplittableRandom(1));
        this.asksAgain = true;
    }

    private TestingCaller(TestingCaller other) {
        this.deadline = other.deadline;
        this.loops = other.loops;
        this.client = other.client;
        this.asksAgain = false;
    }

    /** The same caller, on the same connection, which tells of each refusal. */
    TestingCaller asksOnce() {
        return new TestingCaller(this);
    }

    /** Throws what the call ended with: the declared error as a {@link RegistryException}. */
    <R extends TBase<R, F>, F extends TFieldIdEnum, V> V call(
            String method, TBase<?, ?> arguments, Supplier<R> newResult, Function<R, V> value) {
        long endNanos = System.nanoTime() + deadline.toNanos();
        while (true) {
            R result = await(client.call(method, arguments, newResult, deadline).toCompletableFuture());
            Optional<RegistryException> error = WireErrors.error(result);
            if (error.isEmpty()) {
                return value.apply(result);
            }
            Optional<Duration> again = error.flatMap(TestingCaller::again);
            if (!asksAgain || again.isEmpty() || System.nanoTime() - endNanos >= 0) {
                throw error.get();
            }
            LockSupport.parkNanos(again.get().toNanos());
        }
    }

    /** After how long a node that refused a call may be asked again; nothing where it is of no use. */
    static Optional<Duration> again(RegistryException error) {
        return error instanceof Overloaded busy && busy.signal() != Signal.STOP
                ? Optional.of(busy.retryAfter().orElse(ASK_AGAIN))
                : Optional.empty();
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(2 * DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RegistryException refusal) {
                throw refusal;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    static Instance instance(String id, String name, String host, int port) {
        return new Instance(name, host, port).setId(id);
    }

    String memberAddress(String cluster) {
        return call(
                "memberAddress",
                new Gossip.memberAddress_args().setCluster(cluster),
                Gossip.memberAddress_result::new,
                Gossip.memberAddress_result::getSuccess);
    }

    LeaseGrant register(Instance instance, String... tags) {
        return register(new RegisterQuery(instance, List.of(tags)));
    }

    LeaseGrant register(RegisterQuery query) {
        return call(
                "register",
                new Registry.register_args(query),
                Registry.register_result::new,
                Registry.register_result::getSuccess);
    }

    LeaseGrant advertise(RegisterQuery query) {
        return call(
                "advertise",
                new Discovery.advertise_args(query),
                Discovery.advertise_result::new,
                Discovery.advertise_result::getSuccess);
    }

    HeartbeatResult heartbeat(LeaseRef... leases) {
        return heartbeat(new HeartbeatQuery(List.of(leases)));
    }

    HeartbeatResult heartbeat(HeartbeatQuery query) {
        return call(
                "heartbeat",
                new Discovery.heartbeat_args(query),
                Discovery.heartbeat_result::new,
                Discovery.heartbeat_result::getSuccess);
    }

    void deregister(String id, long generation) {
        call(
                "deregister",
                new Discovery.deregister_args(new DeregisterQuery(new LeaseRef(id, generation))),
                Discovery.deregister_result::new,
                result -> "done");
    }

    void setStatus(String id, InstanceStatus status, @Nullable String reason) {
        call(
                "setStatus",
                new Discovery.setStatus_args(new StatusQuery(id, status).setReason(reason)),
                Discovery.setStatus_result::new,
                result -> "done");
    }

    List<ServicePeer> discover(String name) {
        return call(
                "discover",
                new Discovery.discover_args(new DiscoveryQuery(name)),
                Discovery.discover_result::new,
                result -> result.getSuccess().getPeers());
    }

    Map<String, List<ServicePeer>> tagDiscover(String... tags) {
        return tagDiscover(new TagDiscoveryQuery(List.of(tags)));
    }

    Map<String, List<ServicePeer>> tagDiscover(TagDiscoveryQuery query) {
        return tagDiscoverResult(query).getPeers();
    }

    TagDiscoveryResult tagDiscoverResult(TagDiscoveryQuery query) {
        return call(
                "tagDiscover",
                new Discovery.tagDiscover_args(query),
                Discovery.tagDiscover_result::new,
                Discovery.tagDiscover_result::getSuccess);
    }

    ServiceNamesResult serviceNames(ServiceNamesQuery query) {
        return call(
                "serviceNames",
                new Discovery.serviceNames_args(query),
                Discovery.serviceNames_result::new,
                Discovery.serviceNames_result::getSuccess);
    }

    /** All pages together. */
    List<String> allNames(int limit) {
        List<String> names = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            ServiceNamesResult page =
                    serviceNames(new ServiceNamesQuery().setLimit(limit).setCursor(cursor));
            names.addAll(page.getServiceNames());
            cursor = page.getNextCursor();
        } while (cursor != null);
        return names;
    }

    SemanticResult semanticDiscover(String pattern) {
        return semanticDiscover(new SemanticQuery(pattern));
    }

    SemanticResult semanticDiscover(SemanticQuery query) {
        return call(
                "semanticDiscover",
                new Discovery.semanticDiscover_args(query),
                Discovery.semanticDiscover_result::new,
                Discovery.semanticDiscover_result::getSuccess);
    }

    OntologyReceipt putOntology(String iri, String turtle) {
        return putOntology(
                new PutOntologyQuery(iri, ByteBuffer.wrap(turtle.getBytes(StandardCharsets.UTF_8)), "text/turtle"));
    }

    OntologyReceipt putOntology(PutOntologyQuery query) {
        return call(
                "putOntology",
                new Discovery.putOntology_args(query),
                Discovery.putOntology_result::new,
                Discovery.putOntology_result::getSuccess);
    }

    OntologyDocument getOntology(OntologyQuery query) {
        return call(
                "getOntology",
                new Discovery.getOntology_args(query),
                Discovery.getOntology_result::new,
                Discovery.getOntology_result::getSuccess);
    }

    List<OntologyInfo> listOntologies() {
        return call(
                "listOntologies",
                new Discovery.listOntologies_args(),
                Discovery.listOntologies_result::new,
                Discovery.listOntologies_result::getSuccess);
    }

    void removeOntology(String iri) {
        call(
                "removeOntology",
                new Discovery.removeOntology_args(new OntologyQuery(iri)),
                Discovery.removeOntology_result::new,
                result -> "done");
    }

    CatalogPage catalog(CatalogQuery query) {
        return call(
                "catalog",
                new Discovery.catalog_args(query),
                Discovery.catalog_result::new,
                Discovery.catalog_result::getSuccess);
    }

    WatchResult watch(WatchQuery query) {
        return call(
                "watch",
                new Discovery.watch_args(query),
                Discovery.watch_result::new,
                Discovery.watch_result::getSuccess);
    }

    List<MemberInfo> members(@Nullable CallContext context) {
        return call(
                "members",
                new Discovery.members_args(context),
                Discovery.members_result::new,
                Discovery.members_result::getSuccess);
    }

    List<String> owners(String tag) {
        return call(
                "owners",
                new Discovery.owners_args(tag, null),
                Discovery.owners_result::new,
                Discovery.owners_result::getSuccess);
    }

    NodeStatus status() {
        return call(
                "status",
                new Discovery.status_args(),
                Discovery.status_result::new,
                Discovery.status_result::getSuccess);
    }

    @Override
    public void close() {
        client.close();
        loops.close();
    }
}
