// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.server.store.Buckets;
import io.tagbahn.server.store.Deregistered;
import io.tagbahn.server.store.EntryListener;
import io.tagbahn.server.store.Expiry;
import io.tagbahn.server.store.ExpiryGuardTerms;
import io.tagbahn.server.store.Granted;
import io.tagbahn.server.store.Held;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.store.Now;
import io.tagbahn.server.store.OperatorStatus;
import io.tagbahn.server.store.Peer;
import io.tagbahn.server.store.RegistrationStore;
import io.tagbahn.server.store.StoreLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's own share of the data: the store, with the thread that owns it.
 *
 * <p>Writes queue for that thread. Reads are answered on the caller's thread, without locks. What is written here goes
 * nowhere else.
 */
public final class LocalReplica implements AutoCloseable {

    /** How often operators' words are kept when only the time of an instance's leaving has changed. */
    private static final Duration KEEP_INTERVAL = Duration.ofSeconds(10);

    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

    private static final int BUCKETS_PER_TURN = 64;
    /** Instances after which a turn of a walk ends with the bucket. */
    private static final int INSTANCES_PER_TURN = 1_000;

    private static final Logger log = LoggerFactory.getLogger(LocalReplica.class);

    private final RegistrationStore store;
    private final OperatorStatusKeeper keeper;
    private final StoreWriter writes;
    private volatile Consumer<Expiry> expiryListener = expiry -> {};
    private volatile Runnable refusalListener = () -> {};

    // Of the writing thread only, until it has ended.
    private long keptVersion;
    private long keptNanos;
    private long reportedNanos;
    private int expiredUnreported;

    /** @param writesQueuedMax writes that may wait; more are refused */
    public LocalReplica(
            StoreLimits limits,
            LeaseTerms terms,
            int writesQueuedMax,
            LongSupplier ticker,
            InstantSource clock,
            List<OperatorStatus> keptStatuses,
            OperatorStatusKeeper keeper) {
        this(
                new RegistrationStore(limits, terms, ExpiryGuardTerms.of(terms)),
                tick -> new WriteQueue(writesQueuedMax, ticker, clock, tick),
                new Now(ticker.getAsLong(), clock.millis()),
                keptStatuses,
                keeper);
    }

    LocalReplica(
            RegistrationStore store,
            Function<StoreWriter.Tick, StoreWriter> writer,
            Now now,
            List<OperatorStatus> keptStatuses,
            OperatorStatusKeeper keeper) {
        this.store = store;
        this.keeper = keeper;
        this.writes = writer.apply(this::tick);
        this.keptNanos = now.nanos();
        this.reportedNanos = keptNanos - REPORT_INTERVAL.toNanos();
        store.restore(keptStatuses, now);
        this.keptVersion = store.operatorStatusesVersion();
    }

    /** Who is told of entries that come and go; before {@link #start}. */
    public void onEntries(EntryListener listener) {
        store.onEntries(listener);
    }

    public void start() {
        writes.start();
    }

    // ------------------------------------------------------------ writes, in the order in which they are queued

    /** As {@link RegistrationStore#register}. */
    public CompletionStage<Granted> register(RegisterCommand command, long deadlineNanos) {
        return writes.submit(deadlineNanos, now -> store.register(command, now));
    }

    /** As {@link RegistrationStore#heartbeat}. */
    public CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, long deadlineNanos) {
        return writes.submit(deadlineNanos, now -> store.heartbeat(leases, now));
    }

    /** As {@link RegistrationStore#deregister}. */
    public CompletionStage<Deregistered> deregister(LeaseRef lease, long deadlineNanos) {
        return writes.submit(deadlineNanos, now -> store.deregister(lease, now));
    }

    /** As {@link RegistrationStore#setStatus}; completes when the word would survive the node. */
    public CompletionStage<Void> setStatus(InstanceId id, InstanceStatus status, String reason, long deadlineNanos) {
        return setStatus(id, status, reason, deadlineNanos, now -> null).thenAccept(held -> {});
    }

    private <T> CompletionStage<T> setStatus(
            InstanceId id, InstanceStatus status, String reason, long deadlineNanos, Function<Now, T> after) {
        Function<Now, CompletionStage<T>> write = now -> {
            store.setStatus(id, status, reason, now);
            log.info("operator sets instance {} {}{}", id, status, reason.isEmpty() ? "" : ": " + reason);
            T result = after.apply(now);
            return keep(now).thenApply(kept -> result);
        };
        return writes.submit(deadlineNanos, write).thenCompose(Function.identity());
    }

    /** As {@link #setStatus}; answers what is held of the instance then. */
    CompletionStage<Optional<Held>> setStatusOf(
            InstanceId id, InstanceStatus status, String reason, long deadlineNanos) {
        return setStatus(id, status, reason, deadlineNanos, now -> store.held(id, now));
    }

    /** Has the store do something in its turn. */
    <T> CompletionStage<T> write(long deadlineNanos, BiFunction<RegistrationStore, Now, T> work) {
        return writes.submit(deadlineNanos, now -> work.apply(store, now));
    }

    /** How what another node says counts. */
    enum Source {
        /** From one that knows what has become of the instance. */
        HOME,
        /** From one that may not have been told of its end. */
        HEARSAY
    }

    /** Takes in what other nodes say, each change by itself. */
    CompletionStage<List<Outcome>> take(List<Change> changes, long deadlineNanos) {
        return take(changes, change -> Source.HOME, deadlineNanos);
    }

    CompletionStage<List<Outcome>> take(List<Change> changes, Function<Change, Source> source, long deadlineNanos) {
        return writes.submit(deadlineNanos, now -> {
            List<Outcome> outcomes = new ArrayList<>(changes.size());
            boolean refused = false;
            for (Change change : changes) {
                Outcome outcome = source.apply(change) == Source.HOME
                        ? store.apply(change, now)
                        : store.applyHearsay(change, now);
                refused |= outcome.kind() == Outcome.Kind.REFUSED;
                outcomes.add(outcome);
            }
            if (refused) {
                refusalListener.run();
            }
            return outcomes;
        });
    }

    /** Who is told that copies could not be taken in, on the writing thread. */
    void onRefusal(Runnable listener) {
        refusalListener = listener;
    }

    /** A step of a walk over all that is held. */
    interface BucketVisitor {
        void visit(RegistrationStore store, int bucket, Now now);
    }

    /** Visits all buckets, some at a time, so that other writes come in between. */
    CompletionStage<Void> walk(long deadlineNanos, BucketVisitor visitor) {
        return walk(0, deadlineNanos, visitor);
    }

    private CompletionStage<Void> walk(int from, long deadlineNanos, BucketVisitor visitor) {
        CompletionStage<Integer> turn = writes.submit(deadlineNanos, now -> {
            int most = Math.min(Buckets.COUNT, from + BUCKETS_PER_TURN);
            int bucket = from;
            int instances = 0;
            while (bucket < most && instances < INSTANCES_PER_TURN) {
                visitor.visit(store, bucket, now);
                instances += store.instanceCount(bucket);
                bucket++;
            }
            return bucket;
        });
        return turn.thenCompose(
                to -> to == Buckets.COUNT ? CompletableFuture.completedFuture(null) : walk(to, deadlineNanos, visitor));
    }

    /** Who is told of leases that end, on the writing thread. */
    void onExpiry(Consumer<Expiry> listener) {
        expiryListener = listener;
    }

    private CompletionStage<Void> keep(Now now) {
        keptVersion = store.operatorStatusesVersion();
        keptNanos = now.nanos();
        return keeper.keep(store.operatorStatuses());
    }

    private boolean tick(Now now) {
        Expiry expiry = store.tick(now);
        if (!expiry.ended().isEmpty() || !expiry.ending().isEmpty()) {
            expiryListener.accept(expiry);
        }
        expiredUnreported += expiry.ended().size();
        if (expiredUnreported > 0 && now.nanos() - reportedNanos >= REPORT_INTERVAL.toNanos()) {
            log.info("{} leases ended without a heartbeat", expiredUnreported);
            expiredUnreported = 0;
            reportedNanos = now.nanos();
        }
        if (store.operatorStatusesVersion() != keptVersion && now.nanos() - keptNanos >= KEEP_INTERVAL.toNanos()) {
            keep(now);
        }
        return expiry.more();
    }

    // ------------------------------------------------------------ reads

    /** As {@link RegistrationStore#forEachPeer}. */
    public boolean forEachPeer(String entry, Consumer<? super Peer> peers) {
        return store.forEachPeer(entry, peers);
    }

    /** As {@link RegistrationStore#visitEntries}. */
    public void visitEntries(String prefix, Optional<String> after, Predicate<String> visitor) {
        store.visitEntries(prefix, after, visitor);
    }

    /** How long a lease is where none is asked for. */
    Duration leaseDefault() {
        return store.leaseDefault();
    }

    /** Whether leases are held past their end, because too many ended at once. */
    public boolean isHolding() {
        return store.isHolding();
    }

    public int entryCount() {
        return store.entryCount();
    }

    public int instanceCount() {
        return store.instanceCount();
    }

    /** Carries out the writes that are queued, keeps what has to survive, and stops. */
    @Override
    public void close() {
        writes.close();
        if (store.operatorStatusesVersion() != keptVersion) {
            keeper.keep(store.operatorStatuses());
        }
    }
}
