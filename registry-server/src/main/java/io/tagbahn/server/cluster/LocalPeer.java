// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Compared;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.EntryList;
import io.tagbahn.peer.Holding;
import io.tagbahn.peer.LeasesLeft;
import io.tagbahn.peer.Looked;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.Place;
import io.tagbahn.peer.Renewed;
import io.tagbahn.server.replication.Batches;
import io.tagbahn.server.replication.Shares;
import io.tagbahn.server.store.Buckets;
import io.tagbahn.server.store.Deregistered;
import io.tagbahn.server.store.Granted;
import io.tagbahn.server.store.Held;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.Tombstone;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** This node as a place where data is, for itself and for the others. */
final class LocalPeer implements Replica {

    /** Holdings in one answer to a comparison; buckets beyond it are for the next one. */
    private static final int HOLDINGS_MAX = 20_000;

    private final String id;
    private final LocalReplica replica;
    private final ClusterState state;
    private final MeaningReplica meaning;
    private final int copyBytesMax;
    private volatile @Nullable Quotas quotas;

    /** @param copyBytesMax bytes of copies in one answer; one alone may take more */
    LocalPeer(String id, LocalReplica replica, ClusterState state, MeaningReplica meaning, int copyBytesMax) {
        this.id = id;
        this.replica = replica;
        this.state = state;
        this.meaning = meaning;
        this.copyBytesMax = copyBytesMax;
    }

    void keepAccounts(Quotas kept) {
        quotas = kept;
    }

    @Override
    public CompletionStage<List<Long>> draw(List<String> callers, List<Long> wanted, long deadlineNanos) {
        if (callers.size() != wanted.size() || callers.size() > Quotas.CALLERS_MAX) {
            return CompletableFuture.failedFuture(new InvalidArgument(
                    "wanted",
                    wanted.size() + " of " + callers.size() + " callers; " + Quotas.CALLERS_MAX + " are legal"));
        }
        Quotas kept = quotas;
        return CompletableFuture.completedFuture(kept == null ? wanted : kept.draw(callers, wanted));
    }

    @Override
    public MeaningReplica meaning() {
        return meaning;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public boolean isStalled() {
        return false;
    }

    @Override
    public CompletionStage<NodeView> hello(long deadlineNanos) {
        return CompletableFuture.completedFuture(state.node());
    }

    @Override
    public CompletionStage<Decided> decide(Decision decision, long deadlineNanos) {
        if (decision instanceof Decision.Registration registration) {
            return replica.write(deadlineNanos, (store, now) -> {
                Granted granted = store.register(registration.command(), now);
                return decided(granted.generation(), store.held(decision.id(), now), granted.removed());
            });
        } else if (decision instanceof Decision.Deregistration deregistration) {
            return replica.write(deadlineNanos, (store, now) -> {
                Deregistered done = store.deregister(deregistration.lease(), now);
                return new Decided(state.node(), done.generation(), done.known(), Optional.empty(), done.removed());
            });
        } else if (decision instanceof Decision.StatusChange change) {
            return replica.setStatusOf(change.id(), change.status(), change.reason(), deadlineNanos)
                    .thenApply(held -> decided(held.map(Held::generation).orElse(0L), held, List.of()));
        }
        throw new IllegalArgumentException("unknown decision " + decision);
    }

    private Decided decided(long generation, Optional<Held> held, List<String> removed) {
        Optional<Change.RecordCopy> record = held.filter(Held::home).map(Shares::record);
        return new Decided(state.node(), generation, record.isPresent(), record, removed);
    }

    @Override
    public CompletionStage<Applied> apply(List<Change> changes, long deadlineNanos) {
        return replica.take(changes, deadlineNanos).thenApply(outcomes -> new Applied(state.node(), outcomes));
    }

    @Override
    public CompletionStage<Renewed> renew(List<LeaseRef> leases, long deadlineNanos) {
        return replica.heartbeat(leases, deadlineNanos).thenApply(result -> new Renewed(state.node(), result));
    }

    @Override
    public CompletionStage<LeasesLeft> leases(List<LeaseRef> leases, long deadlineNanos) {
        return replica.write(deadlineNanos, (store, now) -> {
            List<Long> left = new ArrayList<>(leases.size());
            for (LeaseRef lease : leases) {
                left.add(store.held(lease.instanceId(), now)
                        .filter(held -> held.home() && held.generation() == lease.generation())
                        .map(Held::leftMillis)
                        .orElse(LeasesLeft.UNKNOWN));
            }
            return new LeasesLeft(state.node(), left);
        });
    }

    @Override
    public CompletionStage<Looked<Peer>> lookup(List<String> entries, long deadlineNanos) {
        // What is covered has to be looked up first: what is filled in between would be missing.
        Coverage coverage = state.coverage();
        List<Looked.Found<Peer>> found = new ArrayList<>(entries.size());
        for (String entry : entries) {
            boolean whole = coverage.covers(entry);
            List<Peer> peers = new ArrayList<>(1);
            replica.forEachPeer(entry, peers::add);
            // After that: what this node owns no more it may have let go of meanwhile.
            found.add(new Looked.Found<>(peers, whole && state.view().ownsForWrites(entry)));
        }
        return CompletableFuture.completedFuture(new Looked<>(state.node(), found));
    }

    @Override
    public CompletionStage<EntryList> entries(String prefix, Optional<String> after, int limit, long deadlineNanos) {
        NodeView node = state.node();
        ClusterView view = state.view();
        boolean check = state.mayHoldOthers();
        List<String> entries = new ArrayList<>();
        boolean[] more = new boolean[1];
        replica.visitEntries(prefix, after, entry -> {
            // Where rings differ between nodes for a while, the asker may mean another one than this node reads.
            if (check && !view.ownsForWrites(entry)) {
                return true;
            }
            more[0] = entries.size() == limit;
            if (!more[0]) {
                entries.add(entry);
            }
            return !more[0];
        });
        return CompletableFuture.completedFuture(new EntryList(node, entries, more[0]));
    }

    @Override
    public CompletionStage<Copies> copies(String asker, Place place, long deadlineNanos) {
        if (place.bucket() < 0 || place.bucket() >= Buckets.COUNT) {
            return CompletableFuture.failedFuture(new InvalidArgument(
                    "place", "bucket " + place.bucket() + " is not within 0.." + (Buckets.COUNT - 1)));
        }
        CopyPages.Asked asked = asked(asker);
        return replica.write(deadlineNanos, (store, now) -> CopyPages.page(asked, place, store, now));
    }

    private CopyPages.Asked asked(String asker) {
        NodeView node = state.node();
        Shares shares = state.presentShares();
        return new CopyPages.Asked(id, asker, node, state.view(), shares, copyBytesMax);
    }

    @Override
    public CompletionStage<Copies> copiesOf(String asker, List<InstanceId> ids, long deadlineNanos) {
        CopyPages.Asked asked = asked(asker);
        return replica.write(deadlineNanos, (store, now) -> CopyPages.of(asked, ids, store, now));
    }

    @Override
    public CompletionStage<Compared> compare(String asker, int rank, long[] buckets, long deadlineNanos) {
        if (buckets.length != Buckets.COUNT) {
            return CompletableFuture.failedFuture(
                    new InvalidArgument("buckets", buckets.length + " are not " + Buckets.COUNT));
        }
        NodeView node = state.node();
        Shares shares = state.shares();
        List<Integer> different = new ArrayList<>();
        List<Holding> holdings = new ArrayList<>();
        long[] bytes = new long[1];
        long refusals = state.shortfall().refusals();
        return replica.walk(deadlineNanos, (store, bucket, now) -> {
                    List<Holding> here = new ArrayList<>();
                    long sum = 0;
                    for (Held held : store.held(bucket, Optional.empty(), now)) {
                        if (shares.isHome(asker, rank, held.id())) {
                            Optional<Holding> holding = shares.actual(id, held);
                            holding.ifPresent(here::add);
                            sum += holding.map(Shares::inBucket).orElse(0L);
                        }
                    }
                    for (Tombstone gone : store.gone(bucket, now)) {
                        if (!gone.ended() && shares.isHome(asker, rank, gone.id()) && shares.isHome(id, gone.id())) {
                            Holding holding = Shares.holding(gone);
                            here.add(holding);
                            sum += Shares.inBucket(holding);
                        }
                    }
                    if (sum != buckets[bucket] && holdings.size() < HOLDINGS_MAX && bytes[0] < copyBytesMax) {
                        different.add(bucket);
                        holdings.addAll(here);
                        here.forEach(holding -> bytes[0] += Batches.bytesOf(holding));
                    }
                })
                .thenApply(done -> {
                    state.compared(asker, rank, refusals, different.isEmpty());
                    return new Compared(node, different, holdings);
                });
    }
}
