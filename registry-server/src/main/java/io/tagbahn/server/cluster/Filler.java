// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Place;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filling of this node with what it owns: from each node that is read, a page at a time.
 *
 * <p>It ends when all others see the same ring as this node: from then on they tell it of what it owns.
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

    Filler(ClusterState state, LocalReplica replica, Peers peers, Timer timer, LongSupplier ticker) {
        this.state = state;
        this.replica = replica;
        this.peers = peers;
        this.timer = timer;
        this.ticker = ticker;
    }

    /** Begins, in place of what is under way. */
    void fill(ClusterView view) {
        Set<String> sources = new LinkedHashSet<>();
        Set<String> joining = new LinkedHashSet<>();
        view.reachable().forEach((id, member) -> {
            if (!id.equals(view.self())) {
                (member.stage() == Stage.JOINING ? joining : sources).add(id);
            }
        });
        long mine;
        synchronized (this) {
            mine = ++filling;
            unfinished = new LinkedHashSet<>(sources);
            unfinished.addAll(joining);
        }
        if (sources.isEmpty() && joining.isEmpty()) {
            state.filled(view);
        }
        sources.forEach(source -> page(view, source, Place.START, mine));
        joining.forEach(other -> agree(view, other, mine, AGAIN));
    }

    private synchronized boolean isOver(long mine) {
        return mine != filling;
    }

    /** Waits until a node that holds nothing yet sees this one, and tells it of changes. */
    private void agree(ClusterView view, String other, long mine, Duration again) {
        Optional<Replica> asked = peers.get(other, state.view());
        if (isOver(mine) || asked.isEmpty()) {
            return;
        }
        asked.get()
                .hello(ticker.getAsLong() + PAGE_DEADLINE.toNanos())
                .whenComplete((node, error) -> {
                    if (error == null && node.ring() == view.hash()) {
                        finished(view, other, mine);
                    } else if (!isOver(mine)) {
                        Duration next = again.multipliedBy(2);
                        timer.after(
                                again,
                                () -> agree(view, other, mine, next.compareTo(AGAIN_MAX) < 0 ? next : AGAIN_MAX));
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
                    } else {
                        finished(view, source, mine);
                    }
                });
    }

    private void finished(ClusterView view, String source, long mine) {
        synchronized (this) {
            if (mine != filling || !unfinished.remove(source) || !unfinished.isEmpty()) {
                return;
            }
        }
        log.info("filled, and seen by {} other nodes", view.reachable().size() - 1);
        state.filled(view);
    }
}
