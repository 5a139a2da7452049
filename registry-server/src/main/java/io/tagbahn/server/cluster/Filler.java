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
            unfinished = new LinkedHashSet<>(others);
            sources = new LinkedHashSet<>();
        }
        if (others.isEmpty()) {
            state.filled(view);
        }
        others.forEach(other -> agree(view, other, mine, AGAIN));
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
            filled(view);
        }
        from.forEach(source -> page(view, source, Place.START, mine));
    }

    private synchronized boolean isOver(long mine) {
        return mine != filling;
    }

    /** Waits until a node sees the same ring. */
    private void agree(ClusterView view, String other, long mine, Duration again) {
        Optional<Replica> asked = peers.get(other, state.view());
        if (isOver(mine) || asked.isEmpty()) {
            return;
        }
        asked.get().hello(ticker.getAsLong() + PAGE_DEADLINE.toNanos()).whenComplete((node, error) -> {
            if (error == null && node.ring() == view.hash()) {
                if (agreed(view, other, node, mine)) {
                    copy(view, mine);
                }
            } else if (!isOver(mine)) {
                Duration next = again.multipliedBy(2);
                timer.after(again, () -> agree(view, other, mine, next.compareTo(AGAIN_MAX) < 0 ? next : AGAIN_MAX));
            }
        });
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
                    } else if (isLast(source, mine)) {
                        filled(view);
                    }
                });
    }

    /** Whether this was the last node to see the same ring. */
    private synchronized boolean agreed(ClusterView view, String other, NodeView node, long mine) {
        ClusterMember member = view.reachable().get(other);
        // How far the other has come may not have been heard here yet; it knows best.
        if (mine == filling && (node.filled() || member == null || member.stage() != Stage.JOINING)) {
            sources.add(other);
        }
        return isLast(other, mine);
    }

    /** Takes a node from those that this step waits for; whether it was the last of them. */
    private synchronized boolean isLast(String node, long mine) {
        return mine == filling && unfinished.remove(node) && unfinished.isEmpty();
    }

    private void filled(ClusterView view) {
        log.info("filled, and seen by {} other nodes", view.reachable().size() - 1);
        state.filled(view);
    }
}
