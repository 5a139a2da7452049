// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.peer.Change;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.Place;
import io.tagbahn.server.store.Held;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
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
 * <p>Where the node held something before that it may not have been told the end of, what no home of an instance
 * confirms is let go of at the end, if a majority of its homes would have.
 *
 * <p>Where a page can't be had, it is asked for again until the view changes, which begins another filling.
 */
final class Filler {

    /**
     * Where many nodes come at once, what the first of them were asked would be asked again with each that follows; and
     * the more there are, the more their news are held up by connections of all to all.
     */
    private static final Duration BEGIN_AFTER = Duration.ofMillis(100);

    private static final Duration BEGIN_AFTER_EACH = Duration.ofMillis(8);

    private static final Duration PAGE_DEADLINE = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofMillis(100);
    private static final Duration AGAIN_MAX = Duration.ofSeconds(1);
    private static final int DOUBLINGS_MAX = 4;
    private static final Duration SWEEP_DEADLINE = Duration.ofMinutes(1);
    /** How long to try to reach a node that others do reach. */
    private static final Duration UNREACHABLE_MAX = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(Filler.class);

    private final ClusterState state;
    private final LocalReplica replica;
    private final Peers peers;
    private final Timer timer;
    private final LongSupplier ticker;
    private final RandomGenerator random;
    private long filling;
    private Set<String> unfinished = Set.of();
    /** Nodes that have something to copy. */
    private Set<String> sources = Set.of();
    /** Those of them that may not hold all that the ring wants of them. */
    private Set<String> doubtful = Set.of();
    /** Whether what nobody confirms is let go of when all is copied. */
    private boolean sweeping;

    private @Nullable ClusterView target;

    /** @param random for the times between attempts */
    Filler(
            ClusterState state,
            LocalReplica replica,
            Peers peers,
            Timer timer,
            LongSupplier ticker,
            RandomGenerator random) {
        this.state = state;
        this.replica = replica;
        this.peers = peers;
        this.timer = timer;
        this.ticker = ticker;
        this.random = random;
    }

    /** What is under way counts for nothing; what is held here is doubted, until another filling has confirmed it. */
    synchronized void abandon() {
        filling++;
        target = null;
        sweeping = true;
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
            doubtful = new HashSet<>();
        }
        if (others.isEmpty()) {
            filled(view, mine);
        } else {
            timer.after(BEGIN_AFTER.plus(BEGIN_AFTER_EACH.multipliedBy(others.size())), () -> {
                long nowNanos = ticker.getAsLong();
                others.forEach(other -> agree(new Waiting(view, other, mine, AGAIN, nowNanos)));
            });
        }
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
        from.forEach(source -> page(new Page(view, source, Place.START, mine, 0)));
    }

    /** The view has changed: another filling begins, also where the node that is missing is back by then. */
    private synchronized void giveUp(long mine) {
        if (mine == filling) {
            target = null;
        }
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
        if (isOver(waiting.filling())) {
            return;
        }
        if (asked.isEmpty()) {
            giveUp(waiting.filling());
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

    /**
     * A page that is asked for.
     *
     * @param failures how often it could not be had so far
     */
    private record Page(ClusterView view, String source, Place place, long filling, int failures) {

        Page next(Place newPlace) {
            return new Page(view, source, newPlace, filling, 0);
        }

        Page again() {
            return new Page(view, source, place, filling, Math.min(DOUBLINGS_MAX, failures + 1));
        }
    }

    private void page(Page page) {
        Optional<Replica> from = peers.get(page.source(), state.view());
        if (isOver(page.filling())) {
            return;
        }
        if (from.isEmpty()) {
            giveUp(page.filling());
            return;
        }
        String self = page.view().self();
        from.get()
                .copies(self, page.place(), ticker.getAsLong() + PAGE_DEADLINE.toNanos())
                .whenComplete((copies, error) -> {
                    if (isOver(page.filling())) {
                        return;
                    }
                    if (error != null || copies.node().ring() != page.view().hash()) {
                        // A node that sees another ring would leave out what it thinks is not ours.
                        later(page);
                    } else {
                        take(page, copies);
                    }
                });
    }

    /** Nodes that all lack the same one should not all ask it at the same times. */
    private void later(Page page) {
        timer.after(untilAgain(page.failures()), () -> page(page.again()));
    }

    private Duration untilAgain(int failures) {
        long mostNanos = Math.min(AGAIN_MAX.toNanos(), AGAIN.toNanos() << failures);
        return Duration.ofNanos(mostNanos / 2 + random.nextLong(mostNanos / 2));
    }

    private void take(Page page, Copies copies) {
        ClusterView view = page.view();
        boolean isSure = copies.node().whole().contains(view.hash());
        if (!isSure) {
            doubt(page.source(), page.filling());
        }
        replica.take(
                        copies.changes(),
                        change -> isSure && view.homes(change.id()).contains(page.source())
                                ? LocalReplica.Source.HOME
                                : LocalReplica.Source.HEARSAY,
                        ticker.getAsLong() + PAGE_DEADLINE.toNanos())
                .whenComplete((done, error) -> {
                    if (error != null) {
                        later(page);
                    } else if (copies.next().isPresent()) {
                        page(page.next(copies.next().get()));
                    } else if (isDone(page.source(), page.filling())) {
                        sweep(view, page.filling(), 0);
                    }
                });
    }

    private synchronized void doubt(String source, long mine) {
        if (mine == filling) {
            doubtful.add(source);
        }
    }

    // ------------------------------------------------------------ what nobody confirms

    private void sweep(ClusterView view, long mine, int failures) {
        Set<String> sure = new HashSet<>();
        synchronized (this) {
            if (mine != filling) {
                return;
            }
            if (sweeping) {
                sure.addAll(sources);
                sure.removeAll(doubtful);
            }
        }
        if (sure.isEmpty()) {
            filled(view, mine);
            return;
        }
        replica.walk(ticker.getAsLong() + SWEEP_DEADLINE.toNanos(), (store, bucket, now) -> {
                    for (Held held : store.unconfirmed(bucket, now)) {
                        if (isDenied(view.futureHomes(held.id()), sure)) {
                            store.apply(new Change.Removal(held.id(), held.generation(), true), now);
                        }
                    }
                })
                .whenComplete((done, error) -> {
                    if (error != null) {
                        timer.after(
                                untilAgain(failures), () -> sweep(view, mine, Math.min(DOUBLINGS_MAX, failures + 1)));
                    } else {
                        filled(view, mine);
                    }
                });
    }

    /** Whether a majority of the homes would have told of it. */
    private static boolean isDenied(Collection<String> homes, Set<String> sure) {
        return homes.stream().filter(sure::contains).count() > homes.size() / 2;
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

    /** Whether what is under way is for these members and rings. */
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
        synchronized (this) {
            if (mine != filling) {
                return;
            }
            sweeping = false;
            target = null; // should the same ring be to be filled again, that is another filling
        }
        log.info("filled, and seen by {} other nodes", view.reachable().size() - 1);
        state.filled(view, mine);
    }
}
