// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.peer.Copies;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.Place;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filling of this node with what it owns: from each node that is read, a page at a time.
 *
 * <p>First all others have to see the same ring as this node. From then on they tell it of what it owns, and so it lacks
 * nothing that changes while it is filled: a change that began before either is on its source by then, or is told to the
 * owners of the new ring before it ends ({@link Telling#follow}).
 *
 * <p>Where a page can't be had, it is asked for again until the view changes, which begins another filling.
 */
final class Filler {

    private static final Duration PAGE_DEADLINE = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofMillis(100);
    private static final Duration AGAIN_MAX = Duration.ofSeconds(1);
    /** How long to try to reach a node that others do reach. */
    private static final Duration UNREACHABLE_MAX = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(Filler.class);

    private final ClusterState state;
    private final LocalReplica replica;
    private final Peers peers;
    private final Timer timer;
    private final LongSupplier ticker;
    private long filling;
    private Set<String> unfinished = Set.of();
    /** Nodes that have something to copy. */
    private Set<String> sources = Set.of();

    private @Nullable ClusterView target;

    Filler(ClusterState state, LocalReplica replica, Peers peers, Timer timer, LongSupplier ticker) {
        this.state = state;
        this.replica = replica;
        this.peers = peers;
        this.timer = timer;
        this.ticker = ticker;
    }

    /** Begins, in place of what is under way. */
    void fill(ClusterView view) {
        Set<String> others = new LinkedHashSet<>(view.reachable().keySet());
        others.remove(view.self());
        long mine;
        synchronized (this) {
            mine = ++filling;
            target = view;
            unfinished = new LinkedHashSet<>(others);
            sources = new LinkedHashSet<>();
        }
        if (others.isEmpty()) {
            state.filled(view, mine);
        }
        long nowNanos = ticker.getAsLong();
        others.forEach(other -> agree(new Waiting(view, other, mine, AGAIN, nowNanos)));
    }

    /** Copies what others hold, now that all tell this node of changes. */
    private void copy(ClusterView view, long mine) {
        List<String> from;
        synchronized (this) {
            if (mine != filling) {
                return;
            }
            from = List.copyOf(sources);
            unfinished = new LinkedHashSet<>(sources);
        }
        if (from.isEmpty()) {
            filled(view, mine);
        }
        from.forEach(source -> page(view, source, Place.START, mine));
    }

    private boolean isOver(long mine) {
        return !isLast(mine);
    }

    /**
     * The waiting for one node to see the same ring.
     *
     * @param heardNanos when it last said anything, or was asked first
     */
    private record Waiting(ClusterView view, String other, long filling, Duration again, long heardNanos) {

        Waiting next(long newHeardNanos) {
            Duration twice = again.multipliedBy(2);
            return new Waiting(view, other, filling, twice.compareTo(AGAIN_MAX) < 0 ? twice : AGAIN_MAX, newHeardNanos);
        }
    }

    private void agree(Waiting waiting) {
        ClusterView view = waiting.view();
        String other = waiting.other();
        Optional<Replica> asked = peers.get(other, state.view());
        if (isOver(waiting.filling()) || asked.isEmpty()) {
            return;
        }
        asked.get().hello(ticker.getAsLong() + PAGE_DEADLINE.toNanos()).whenComplete((node, error) -> {
            long nowNanos = ticker.getAsLong();
            if (error == null && node.ring() == view.hash()) {
                note(view, other, node, waiting.filling());
                copyIfAllAgree(view, other, waiting.filling());
            } else if (error != null && nowNanos - waiting.heardNanos() > UNREACHABLE_MAX.toNanos()) {
                // Others do reach it, or it would be no member. What it coordinates comes by comparison.
                log.warn("node {} can't be reached from here: filled without it", other);
                copyIfAllAgree(view, other, waiting.filling());
            } else if (!isOver(waiting.filling())) {
                Waiting next = waiting.next(error == null ? nowNanos : waiting.heardNanos());
                timer.after(waiting.again(), () -> agree(next));
            }
        });
    }

    private void copyIfAllAgree(ClusterView view, String other, long mine) {
        if (isDone(other, mine)) {
            copy(view, mine);
        }
    }

    private void page(ClusterView view, String source, Place place, long mine) {
        Optional<Replica> from = peers.get(source, state.view());
        if (isOver(mine) || from.isEmpty()) {
            return; // the view has changed: another filling begins
        }
        from.get()
                .copies(view.self(), place, ticker.getAsLong() + PAGE_DEADLINE.toNanos())
                .whenComplete((copies, error) -> {
                    if (isOver(mine)) {
                        return;
                    }
                    if (error != null || copies.node().ring() != view.hash()) {
                        // A node that sees another ring would leave out what it thinks is not ours.
                        timer.after(AGAIN, () -> page(view, source, place, mine));
                    } else {
                        take(view, source, place, copies, mine);
                    }
                });
    }

    private void take(ClusterView view, String source, Place place, Copies copies, long mine) {
        replica.write(ticker.getAsLong() + PAGE_DEADLINE.toNanos(), (store, now) -> {
                    copies.changes().forEach(change -> store.apply(change, now));
                    return null;
                })
                .whenComplete((done, error) -> {
                    if (error != null) {
                        timer.after(AGAIN, () -> page(view, source, place, mine));
                    } else if (copies.next().isPresent()) {
                        page(view, source, copies.next().get(), mine);
                    } else if (isDone(source, mine)) {
                        filled(view, mine);
                    }
                });
    }

    private synchronized void note(ClusterView view, String other, NodeView node, long mine) {
        ClusterMember member = view.reachable().get(other);
        // How far the other has come may not have been heard here yet; it knows best.
        if (mine == filling && (node.filled() || member == null || member.stage() != Stage.JOINING)) {
            sources.add(other);
        }
    }

    /** Takes a node from those that this step waits for; whether it was the last of them. */
    private synchronized boolean isDone(String node, long mine) {
        return mine == filling && unfinished.remove(node) && unfinished.isEmpty();
    }

    /** Whether what began last is for these members and rings. */
    synchronized boolean isFor(ClusterView view) {
        ClusterView of = target;
        return of != null
                && of.nextRing().equals(view.nextRing())
                && of.readRing().equals(view.readRing())
                && of.reachable().keySet().equals(view.reachable().keySet());
    }

    /** Whether none has begun after the one of this number. */
    synchronized boolean isLast(long mine) {
        return mine == filling;
    }

    private void filled(ClusterView view, long mine) {
        log.info("filled, and seen by {} other nodes", view.reachable().size() - 1);
        state.filled(view, mine);
    }
}
