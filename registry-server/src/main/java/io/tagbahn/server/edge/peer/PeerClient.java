// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.peer;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Unreachable;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Compared;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.EntryList;
import io.tagbahn.peer.LeasesLeft;
import io.tagbahn.peer.Looked;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.Place;
import io.tagbahn.peer.Renewed;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.server.cluster.MeaningReplica;
import io.tagbahn.server.cluster.RemoteReplica;
import io.tagbahn.server.cluster.Silence;
import io.tagbahn.server.store.Peer;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.peer.Caller;
import io.tagbahn.wire.WireChange;
import io.tagbahn.wire.WireErrors;
import io.tagbahn.wire.WireInstance;
import io.tagbahn.wire.WireLease;
import io.tagbahn.wire.WirePeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;
import org.jspecify.annotations.Nullable;

/**
 * Another node, reached over a connection of its own: what waits for it is bounded, and nobody else waits with it.
 *
 * <p>A node that has stopped answering counts as stalled until it is heard of again.
 */
public final class PeerClient implements RemoteReplica {

    /** Calls with less than this part of the usual time tell nothing by not being answered. */
    private static final int SHORT = 4;

    private static final Duration LOST_INTERVAL = Duration.ofMillis(200);

    private final String id;
    private final RpcClient client;
    private final PeerCaller caller;
    private final LongSupplier ring;
    private final LongSupplier ticker;
    private final long timeoutNanos;
    private final Silence silence = new Silence();
    private final Runnable lost;
    private final AtomicLong lostNanos = new AtomicLong();
    private final MeaningReplica meaning;

    /**
     * A node that is connected with the first call.
     *
     * @param id of the other node
     * @param cluster the name of both nodes' cluster
     * @param self the id of this node
     * @param ring the hash of the ring as this node sees it
     * @param timeout how long it may take to answer
     * @param lost run where it can't be reached, or a connection to it ends; now and then, not each time
     */
    public PeerClient(
            String id,
            RpcClient client,
            String cluster,
            String self,
            LongSupplier ring,
            Duration timeout,
            Runnable lost,
            LongSupplier ticker) {
        this.id = id;
        this.timeoutNanos = timeout.toNanos();
        this.lost = lost;
        this.lostNanos.set(ticker.getAsLong() - LOST_INTERVAL.toNanos());
        this.client = client;
        this.caller = new PeerCaller(cluster, self);
        this.ring = ring;
        this.ticker = ticker;
        this.meaning = new MeaningClient(this);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public boolean isStalled() {
        return silence.isConfirmed();
    }

    @Override
    public CompletionStage<NodeView> hello(long deadlineNanos) {
        return call(
                "hello",
                deadlineNanos,
                io.tagbahn.thrift.peer.Peer.hello_args::new,
                io.tagbahn.thrift.peer.Peer.hello_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<Decided> decide(Decision decision, long deadlineNanos) {
        return call(
                "decide",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.decide_args(from, WirePeer.toWire(decision)),
                io.tagbahn.thrift.peer.Peer.decide_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<Applied> apply(List<Change> changes, long deadlineNanos) {
        return call(
                "apply",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.apply_args(from, WireChange.toWire(changes)),
                io.tagbahn.thrift.peer.Peer.apply_result::new,
                result -> {
                    if (result.getSuccess().getOutcomesSize() != changes.size()) {
                        throw new RegistryFault("node " + id + " said of "
                                + result.getSuccess().getOutcomesSize() + " changes what became of them, not of "
                                + changes.size());
                    }
                    return WirePeer.fromWire(result.getSuccess());
                });
    }

    @Override
    public CompletionStage<Renewed> renew(List<LeaseRef> leases, long deadlineNanos) {
        return call(
                "renew",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.renew_args(from, WireLease.toWire(leases)),
                io.tagbahn.thrift.peer.Peer.renew_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<LeasesLeft> leases(List<LeaseRef> leases, long deadlineNanos) {
        return call(
                "leases",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.leases_args(from, WireLease.toWire(leases)),
                io.tagbahn.thrift.peer.Peer.leases_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<List<Long>> draw(List<String> callers, List<Long> wanted, long deadlineNanos) {
        return call(
                "draw",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.draw_args(from, callers, wanted),
                io.tagbahn.thrift.peer.Peer.draw_result::new,
                io.tagbahn.thrift.peer.Peer.draw_result::getSuccess);
    }

    @Override
    public CompletionStage<Looked<Peer>> lookup(List<String> entries, long deadlineNanos) {
        return call(
                "lookup",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.lookup_args(from, entries),
                io.tagbahn.thrift.peer.Peer.lookup_result::new,
                result -> WirePeer.fromWire(result.getSuccess(), PeerClient::peer));
    }

    /** The form that came is the form that goes on to the caller. */
    static Peer peer(ServicePeer wire) {
        Peer peer = new Peer(WireInstance.fromPeer(wire));
        peer.form(ServicePeer.class, instance -> wire);
        return peer;
    }

    @Override
    public CompletionStage<EntryList> entries(String prefix, Optional<String> after, int limit, long deadlineNanos) {
        return call(
                "entries",
                deadlineNanos,
                from -> {
                    var arguments = new io.tagbahn.thrift.peer.Peer.entries_args();
                    arguments.setCaller(from).setPrefix(prefix).setLimit(limit);
                    after.ifPresent(arguments::setAfter);
                    return arguments;
                },
                io.tagbahn.thrift.peer.Peer.entries_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<Copies> copies(String asker, Place place, long deadlineNanos) {
        return call(
                "copies",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.copies_args(from, WirePeer.toWire(place)),
                io.tagbahn.thrift.peer.Peer.copies_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<Copies> copiesOf(String asker, List<InstanceId> ids, long deadlineNanos) {
        return call(
                "copiesOf",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.copiesOf_args(
                        from, ids.stream().map(InstanceId::value).toList(), asker),
                io.tagbahn.thrift.peer.Peer.copiesOf_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<Compared> compare(String asker, int rank, long[] buckets, long deadlineNanos) {
        List<Long> wire = new ArrayList<>(buckets.length);
        for (long bucket : buckets) {
            wire.add(bucket);
        }
        return call(
                "compare",
                deadlineNanos,
                from -> new io.tagbahn.thrift.peer.Peer.compare_args(from, rank, wire),
                io.tagbahn.thrift.peer.Peer.compare_result::new,
                result -> WirePeer.fromWire(result.getSuccess()));
    }

    @Override
    public MeaningReplica meaning() {
        return meaning;
    }

    <A extends TBase<?, ?>, F extends TFieldIdEnum, R extends TBase<R, F>, V> CompletionStage<V> call(
            String method,
            long deadlineNanos,
            Function<Caller, A> arguments,
            Supplier<R> newResult,
            Function<R, V> value) {
        long nowNanos = ticker.getAsLong();
        Duration left = Duration.ofNanos(deadlineNanos - nowNanos);
        if (left.isNegative() || left.isZero()) {
            return CompletableFuture.failedFuture(new Unreachable("no time left for node " + id));
        }
        A sent = arguments.apply(caller.toWire(ring.getAsLong(), deadlineNanos, nowNanos));
        Silence.Sent then = silence.sent(lateReplies());
        return client.call(method, sent, newResult, left).handle((result, error) -> {
            note(error, then, left.toNanos(), deadlineNanos);
            if (error != null) {
                throw new CompletionException(
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
            }
            WireErrors.error(result).ifPresent(refusal -> {
                throw refusal;
            });
            try {
                return value.apply(result);
            } catch (RegistryException e) {
                throw new RegistryFault("node " + id + " sent what is not valid: " + e.getMessage(), e);
            }
        });
    }

    private void note(@Nullable Throwable error, Silence.Sent then, long allowedNanos, long deadlineNanos) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause == null || cause instanceof RegistryFault) {
            silence.heard();
        } else if (cause instanceof OutcomeUnknown || cause instanceof Unreachable) {
            long nowNanos = ticker.getAsLong();
            if (deadlineNanos - nowNanos > 0) {
                lost(nowNanos);
            } else if (allowedNanos >= timeoutNanos / SHORT && silence.unanswered(then, lateReplies())) {
                hello(nowNanos + timeoutNanos);
            }
        }
    }

    private void lost(long nowNanos) {
        long before = lostNanos.get();
        if (nowNanos - before >= LOST_INTERVAL.toNanos() && lostNanos.compareAndSet(before, nowNanos)) {
            lost.run();
        }
    }

    private long lateReplies() {
        return client.lateReplies();
    }

    @Override
    public void close() {
        client.close();
    }
}
