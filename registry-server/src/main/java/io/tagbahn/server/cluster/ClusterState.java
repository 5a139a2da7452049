// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.NodeView;
import io.tagbahn.server.replication.Owners;
import io.tagbahn.server.replication.Shares;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's view of the cluster and what follows from it: which entries it owns, which it holds in full.
 *
 * <p>Each change of the membership makes a new view. Where the node may have got more to own, it is filled from the
 * others; until that is done, it says of each such entry that it may not hold all of it.
 */
final class ClusterState {

    /** Rings that others may still act on. */
    private static final int RECENT_MAX = 16;

    /** Rings by which lists of all entries may be put together while nodes are being filled for the present one. */
    private static final int PAST_MAX = 4;

    private static final Duration BEAT = Duration.ofMillis(100);
    /** How often a node that is filled looks whether it has its ontologies. */
    private static final Duration UNTIL_KNOWN = Duration.ofMillis(20);

    /** The least time between two fillings for doubts: nothing is gained by beginning again and again. */
    private static final Duration DOUBTS_APART = Duration.ofSeconds(2);

    private static final Duration WALK_DEADLINE = Duration.ofMinutes(1);

    /** Between two updates that news of members cause: where many come or go, their news come one by one. */
    private static final Duration UPDATES_APART = Duration.ofMillis(20);

    private static final Logger log = LoggerFactory.getLogger(ClusterState.class);

    private final String self;
    private final Membership membership;
    private final ClusterConfig config;
    private final LocalReplica replica;
    private final Timer timer;
    private final LongSupplier ticker;
    private final AtomicBoolean updateWaits = new AtomicBoolean();
    private volatile long nextUpdateNanos;
    private final AtomicReference<ClusterView> view = new AtomicReference<>();
    private final List<Recent> recent = new ArrayList<>();
    private final List<Ring> past = new ArrayList<>();
    private final Losses losses = new Losses();
    private final Shortfall shortfall = new Shortfall(ClusterView.HOMES);
    private volatile boolean unsure;
    private volatile long unsureUntilNanos;
    /** This node was alone when it learned that it may have missed something. */
    private boolean doubted;
    /** When the next doubt may cause a filling. */
    private long nextDoubtNanos;
    /** Whether a filling waits for that time. */
    private boolean doubtWaits;

    private volatile Coverage coverage;
    private volatile WholeRings whole = WholeRings.NONE;
    private volatile boolean filled;
    private volatile boolean refitted = true;
    private @Nullable Peers peers;
    private @Nullable Filler filler;
    private BooleanSupplier knowsOntologies = () -> true;
    private long refits;
    private boolean started;
    private boolean awaitingOntologies;
    private volatile boolean closed;

    private record Recent(Ring ring, long untilNanos) {}

    ClusterState(
            String self,
            Membership membership,
            ClusterConfig config,
            LocalReplica replica,
            Timer timer,
            LongSupplier ticker) {
        this.self = self;
        this.membership = membership;
        this.config = config;
        this.replica = replica;
        this.timer = timer;
        this.ticker = ticker;
        this.coverage = Coverage.nothing(self);
        this.nextDoubtNanos = ticker.getAsLong();
        this.nextUpdateNanos = ticker.getAsLong();
        replica.onRefusal(shortfall::refused);
        view.set(ClusterView.of(self, membership.members(), config.replicas(), List.of(), List.of()));
    }

    /** Takes part from now on. */
    void start(Peers reached, Filler filling, BooleanSupplier ontologiesKnown) {
        peers = reached;
        filler = filling;
        knowsOntologies = ontologiesKnown;
        membership.onChange(this::updateLater);
        membership.onTakenForDead(() -> later(() -> doubtAll("others took this node for dead")));
        update();
        beat(ticker.getAsLong());
    }

    /**
     * Looks out for pauses of this process: others don't wait for a node that has stopped answering, and it doesn't know
     * what it was not told of.
     */
    private void beat(long beforeNanos) {
        timer.after(BEAT, () -> {
            long nowNanos = ticker.getAsLong();
            if (nowNanos - beforeNanos - BEAT.toNanos() > config.peerTimeout().toNanos()) {
                doubtAll("this process stood still for "
                        + Duration.ofNanos(nowNanos - beforeNanos).toMillis() + " ms");
            }
            beat(nowNanos);
        });
    }

    /** Changes may have been made of which this node wasn't told. */
    private synchronized void doubtAll(String why) {
        ClusterView now = view();
        doubted = now.isAlone();
        if (!doubted) {
            log.warn("{}: it is filled anew", why);
            coverage = Coverage.nothing(self);
            whole = WholeRings.NONE;
            filled = false;
            replica.write(ticker.getAsLong() + WALK_DEADLINE.toNanos(), (store, at) -> {
                store.doubtAll();
                return null;
            });
            Objects.requireNonNull(filler).abandon();
            long waitNanos = nextDoubtNanos - ticker.getAsLong();
            if (waitNanos <= 0) {
                fillForDoubt();
            } else if (!doubtWaits) {
                doubtWaits = true;
                timer.after(Duration.ofNanos(waitNanos), this::fillForDoubt);
            }
        }
    }

    private synchronized void fillForDoubt() {
        doubtWaits = false;
        nextDoubtNanos = ticker.getAsLong() + DOUBTS_APART.toNanos();
        Objects.requireNonNull(filler).fill(view());
    }

    /** Members that come as others do who have been members for long: they and this node were apart till now. */
    private boolean wasApart(ClusterView before, ClusterView now) {
        ClusterMember me = before.reachable().get(self);
        if (me == null || me.stage() == Stage.JOINING) {
            return false;
        }
        return now.reachable().values().stream()
                .anyMatch(member -> member.stage() == Stage.READY && !before.knows(member.id()));
    }

    /** After too many nodes were lost together something may be missing until heartbeats have brought it back. */
    private void settleLosses() {
        if (losses.take(Math.max(config.replicas(), ClusterView.HOMES))) {
            Duration until = replica.leaseDefault();
            log.warn("too many nodes were lost together: answers count as incomplete for {} s", until.toSeconds());
            unsure = true;
            long untilNanos = ticker.getAsLong() + until.toNanos();
            unsureUntilNanos = untilNanos;
            timer.after(until, () -> unsure = unsureUntilNanos != untilNanos);
        }
    }

    /** Whether this node may be missing something that no other node has either. */
    boolean isUnsure() {
        return unsure;
    }

    /**
     * Changes that come while an update waits for its turn are part of it: fifty that join at once are few updates. One
     * that comes alone is taken at once.
     */
    private void updateLater() {
        if (updateWaits.compareAndSet(false, true)) {
            long nowNanos = ticker.getAsLong();
            timer.after(Duration.ofNanos(Math.max(0, nextUpdateNanos - nowNanos)), () -> {
                updateWaits.set(false);
                nextUpdateNanos = ticker.getAsLong() + UPDATES_APART.toNanos();
                update();
            });
        }
    }

    /** All changes are made by the timer: a membership may tell of them on threads that others wait for. */
    private void later(Runnable change) {
        timer.after(Duration.ZERO, change);
    }

    ClusterView view() {
        return Objects.requireNonNull(view.get());
    }

    Coverage coverage() {
        return unsure || shortfall.isLacking() ? Coverage.nothing(self) : coverage;
    }

    /** What this node says of itself. */
    NodeView node() {
        ClusterView now = view();
        boolean lacking = shortfall.isLacking();
        return new NodeView(
                now.hash(), filled && !lacking, replica.isHolding(), unsure || lacking ? List.of() : whole.hashes());
    }

    /** Whether this node was given all that it should hold; it may have had no room for some of it. */
    boolean isFilled() {
        return filled;
    }

    Shortfall shortfall() {
        return shortfall;
    }

    /** Another node has compared what this one holds. */
    void compared(String other, int rank, long refusalsBefore, boolean agrees) {
        shortfall.compared(other, rank, refusalsBefore, agrees, others(view()));
    }

    private Set<String> others(ClusterView of) {
        Set<String> others = new HashSet<>(of.reachable().keySet());
        others.remove(self);
        return others;
    }

    /** Whether it may hold entries that it doesn't own. */
    boolean mayHoldOthers() {
        return !refitted || !view().isStable();
    }

    /** Who should hold what once all is as it should be. */
    Shares shares() {
        ClusterView now = view();
        return new Shares(new Owners() {
            @Override
            public Collection<String> homes(InstanceId id) {
                return now.futureHomes(id);
            }

            @Override
            public Collection<String> owners(String entry) {
                return now.futureOwners(entry);
            }
        });
    }

    /** Who should hold what for reads and writes to find it now. */
    Shares presentShares() {
        ClusterView now = view();
        return new Shares(new Owners() {
            @Override
            public Collection<String> homes(InstanceId id) {
                return now.presentHomes(id);
            }

            @Override
            public Collection<String> owners(String entry) {
                return now.presentOwners(entry);
            }
        });
    }

    synchronized void update() {
        long nowNanos = ticker.getAsLong();
        recent.removeIf(ring -> ring.untilNanos() - nowNanos <= 0);
        List<ClusterMember> members = membership.members();
        ClusterView before = view();
        ClusterView bare = before.changed(members, List.of(), List.of());
        Ring read = bare.readRing();
        if (!read.equals(before.readRing())) {
            past.add(0, before.readRing());
            if (past.size() > PAST_MAX) {
                past.remove(PAST_MAX);
            }
            actOn(before.readRing(), nowNanos);
        }
        if (!bare.nextRing().equals(before.nextRing()) && !before.nextRing().equals(before.readRing())) {
            // Others may have come to read it already.
            actOn(before.nextRing(), nowNanos);
        }
        ClusterView now =
                bare.changed(members, recent.stream().map(Recent::ring).toList(), past);
        // In this order: with the new ring, nobody may see that this node was filled for the one before.
        cover(before, now);
        view.set(now);
        if (filled && now.isStable() && !now.isFilling()) {
            settleLosses();
        }
        Objects.requireNonNull(peers).keepOnly(now.reachable());
        shortfall.keepOnly(others(now));
        if (!started || !now.writeRings().equals(before.writeRings())) {
            started = true;
            refit(now);
        } else {
            goOn();
        }
        if (doubted && !now.isAlone()) {
            doubtAll("others took this node for dead while it was alone");
        } else if (wasApart(before, now)) {
            doubtAll("this node and others have found each other");
        }
    }

    /** Where the rings are the same, what is under way stays right. */
    private void goOn() {
        if (refitted) {
            refitted(refits);
        }
    }

    /** Goes on for a while to act on a ring as well. */
    private void actOn(Ring ring, long nowNanos) {
        recent.add(new Recent(ring, nowNanos + config.settle().toNanos()));
        if (recent.size() > RECENT_MAX) {
            recent.remove(0);
        }
        timer.after(config.settle().dividedBy(2).plusMillis(1), this::update);
        timer.after(config.settle().plusMillis(1), this::update);
    }

    /**
     * The rings that all certainly act on. Others may have come to the present ones earlier than this node, and so they
     * let go of those before earlier, too; not by half the time that all act on them.
     */
    private Set<Ring> actedOn(ClusterView now) {
        long sinceNanos = ticker.getAsLong() + config.settle().dividedBy(2).toNanos();
        Set<Ring> rings = new HashSet<>(List.of(now.readRing(), now.nextRing()));
        for (Recent ring : recent) {
            if (ring.untilNanos() - sinceNanos > 0) {
                rings.add(ring.ring());
            }
        }
        return rings;
    }

    private void cover(ClusterView before, ClusterView now) {
        boolean staysOn = now.nextRing().member(self).isPresent();
        if (staysOn && !now.nextRing().members().containsAll(before.nextRing().members())) {
            // Somebody left: this node may own more than before.
            coverage = coverage.and(now.toFill());
            filled = false;
        }
        if (staysOn && filled && now.isStable()) {
            coverage = Coverage.filled(self, now.toFill());
        }
        whole = staysOn ? whole.seenBy(before, now, actedOn(now)) : whole;
        losses.see(before, now);
        if (!now.nextRing().equals(before.nextRing())) {
            log.info(
                    "the ring has {} members: {}",
                    now.nextRing().size(),
                    now.nextRing().members().stream().map(RingMember::id).toList());
        }
    }

    /** Posts what this node owns by now of the records that it holds, and lets go of what it doesn't. */
    private void refit(ClusterView now) {
        refitted = false;
        long refit = ++refits;
        long deadlineNanos = ticker.getAsLong() + WALK_DEADLINE.toNanos();
        CompletionStage<Void> owned = replica.write(deadlineNanos, (store, at) -> {
            if (now.isAlone()) {
                store.ownAll();
            } else {
                store.own(now::ownsForWrites, true);
            }
            return null;
        });
        owned.thenCompose(done -> replica.walk(deadlineNanos, (store, bucket, at) -> {
                    for (Held held : store.held(bucket, Optional.empty(), at)) {
                        store.releasePosted(held.id(), at);
                    }
                }))
                .whenComplete((done, error) -> {
                    if (error == null) {
                        later(() -> refitted(refit));
                    } else if (!closed) {
                        log.warn(
                                "could not sort out what this node owns: {}",
                                Settled.cause(error).toString());
                        timer.after(config.settle(), this::update);
                    }
                });
    }

    private synchronized void refitted(long refit) {
        if (refit != refits) {
            return; // a newer view is being sorted out
        }
        refitted = true;
        ClusterView now = view();
        if (filled) {
            ready();
        } else if (!doubtWaits && !Objects.requireNonNull(filler).isFor(now)) {
            filler.fill(now);
        }
    }

    /**
     * The node has been given all that it should hold by a view.
     *
     * @param filling the number of what ended thereby; where another has begun since, it counts for nothing
     */
    void filled(ClusterView of, long filling) {
        later(() -> fill(of, filling));
    }

    private synchronized void fill(ClusterView of, long filling) {
        boolean last = Objects.requireNonNull(filler).isLast(filling);
        if (last && of.nextRing().equals(view().nextRing())) {
            settleLosses();
            coverage = coverage.or(of.toFill());
            whole = whole.filledFor(of);
            filled = true;
            ready();
        }
    }

    /** Says how far this node has come: it is not asked before it also knows the ontologies that are in force. */
    private void ready() {
        ClusterView now = view();
        ClusterMember me = now.reachable().get(self);
        if (me == null) {
            return;
        }
        if (me.stage() == Stage.JOINING && !knowsOntologies.getAsBoolean()) {
            if (!awaitingOntologies) {
                awaitingOntologies = true;
                timer.after(UNTIL_KNOWN, this::readyIfFilled);
            }
        } else if (me.stage() == Stage.JOINING) {
            log.info("this node holds what it owns");
            later(() -> membership.announce(Stage.FILLED));
        } else if (me.stage() == Stage.FILLED && !now.isFilling()) {
            later(() -> membership.announce(Stage.READY));
        }
    }

    private synchronized void readyIfFilled() {
        awaitingOntologies = false;
        if (filled && refitted) {
            ready();
        }
    }

    /** From now on nothing of what it began is worth a word when it fails. */
    void close() {
        closed = true;
    }

    /** Whether this node is asked by others. */
    boolean isReady() {
        ClusterView now = view();
        return now.readRing().member(self).isPresent() && !now.isJoining(self);
    }
}
