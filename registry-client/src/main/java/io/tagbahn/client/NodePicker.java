// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.client.KnownNode.Health;
import io.tagbahn.client.resilience.Backoff;
import io.tagbahn.model.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The choice of the node that a call goes to.
 *
 * <p>Of two at random among the nearest that are fine, the one where a further call costs less (the power of two choices);
 * one of those further away instead where it costs less than half of that. Nodes that failed or are busy come last; one
 * whose time of ejection is over is tried by a single call. Nodes that only gave no answer in time are ejected as long as
 * that leaves at least half of all: where most seem to hang, it is rather the caller or the load.
 */
final class NodePicker {

    /** After this long without a word of its probe, a node may be probed again. */
    static final Duration PROBE_LAPSES_AFTER = Duration.ofSeconds(10);

    /** Where the caller waited for less than this, that it got no answer says nothing. */
    private static final Duration SILENCE_MIN = Duration.ofMillis(50);

    /** How much cheaper a node further away has to be. */
    private static final double FARTHER_FACTOR = 2;

    private static final int DRAWS_MAX = 4;

    /** A node that was picked for one attempt, which ends once. */
    final class Pick {
        private final KnownNode known;
        private final long begunNanos;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Pick(KnownNode known, long begunNanos) {
            this.known = known;
            this.begunNanos = begunNanos;
        }

        KnownNode known() {
            return known;
        }

        RegistryNode node() {
            return known.node();
        }

        /** An answer came, a value or an error of the registry's, as soon as the node could give it. */
        void answered() {
            if (ended.compareAndSet(false, true)) {
                known.answered(begunNanos, nanos.getAsLong());
                known.ended();
            }
        }

        /** An answer came after it had waited for something to happen: the time that took is none of the node's. */
        void answeredAfterWaiting() {
            if (ended.compareAndSet(false, true)) {
                known.alive(begunNanos, nanos.getAsLong());
                known.ended();
            }
        }

        /** The node is busy, and others may not be. */
        void busy(Duration time) {
            if (ended.compareAndSet(false, true)) {
                long now = nanos.getAsLong();
                known.alive(begunNanos, now);
                known.busy(now, time);
                known.ended();
            }
        }

        /** The node is not there, or says that it can't answer. */
        void gone() {
            if (ended.compareAndSet(false, true)) {
                eject(this);
                known.ended();
            }
        }

        /** No answer came in time. */
        void silent() {
            if (ended.compareAndSet(false, true)) {
                if (nanos.getAsLong() - begunNanos >= SILENCE_MIN.toNanos() && mayEject(known)) {
                    eject(this);
                }
                known.ended();
            }
        }
    }

    private final Function<HostPort, RegistryNode> connect;
    private final Backoff ejection;
    private final boolean ejects;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final AtomicLong turn = new AtomicLong();
    private final LongAdder ejections = new LongAdder();
    private final Set<KnownNode> retired = ConcurrentHashMap.newKeySet(); // emptied with each change
    private volatile List<KnownNode> nodes = List.of();
    private boolean closed; // guarded by this

    /**
     * @param addresses where nodes are, with how far away each is ({@link io.tagbahn.model.Locality#distanceTo})
     * @param ejectedFor first time of ejection, 0 for none
     */
    NodePicker(
            Map<HostPort, Integer> addresses,
            Function<HostPort, RegistryNode> connect,
            Duration ejectedFor,
            Duration ejectedForMax,
            LongSupplier nanos,
            RandomGenerator random) {
        this.connect = connect;
        this.ejects = !ejectedFor.isZero();
        Duration first = ejects ? ejectedFor : Duration.ofNanos(1);
        this.ejection = new Backoff(first, first.compareTo(ejectedForMax) > 0 ? first : ejectedForMax);
        this.nanos = nanos;
        this.random = random;
        set(addresses);
    }

    int size() {
        return nodes.size();
    }

    List<KnownNode> nodes() {
        return nodes;
    }

    /** How often a node was ejected. */
    long ejections() {
        return ejections.sum();
    }

    /** Has calls go to these nodes from now on. What is known of those that stay is kept; calls that are pending go on. */
    synchronized void set(Map<HostPort, Integer> addresses) {
        if (closed || addresses.isEmpty()) {
            return;
        }
        Map<HostPort, KnownNode> before = new LinkedHashMap<>();
        nodes.forEach(known -> before.put(known.node().address(), known));
        List<KnownNode> now = new ArrayList<>();
        addresses.forEach((address, distance) -> {
            KnownNode known = before.remove(address);
            if (known == null) {
                now.add(new KnownNode(connect.apply(address), distance, turn.getAndIncrement()));
            } else {
                known.place(distance);
                now.add(known);
            }
        });
        // Nearest first; equally near ones in an order of this client's own.
        for (int i = now.size() - 1; i > 0; i--) {
            Collections.swap(now, i, random.nextInt(i + 1));
        }
        now.sort(Comparator.comparingInt(KnownNode::distance));
        nodes = List.copyOf(now);
        retired.removeIf(known -> known.pending() == 0);
        before.values().forEach(known -> {
            retired.add(known);
            known.retire();
        });
    }

    /**
     * Picks a node for an attempt.
     *
     * @param tried those that were tried already, which come last
     * @param preferred comes before all others, unless it was tried or is not fine
     */
    Pick pick(Collection<KnownNode> tried, Optional<KnownNode> preferred) {
        long now = nanos.getAsLong();
        KnownNode best = preferred
                .filter(known -> nodes.contains(known) && isFine(known, tried, now))
                .or(() -> toProbe(tried, now))
                .or(() -> cheapest(tried, now))
                .orElseGet(() -> leastBad(tried, now));
        best.picked(turn.getAndIncrement());
        return new Pick(best, now);
    }

    /** Whether there is a node that was not tried and that is fine. */
    boolean hasFine(Collection<KnownNode> tried) {
        long now = nanos.getAsLong();
        return nodes.stream().anyMatch(known -> isFine(known, tried, now));
    }

    private static boolean isFine(KnownNode known, Collection<KnownNode> tried, long now) {
        return !tried.contains(known) && known.health(now) == Health.FINE;
    }

    private Optional<KnownNode> toProbe(Collection<KnownNode> tried, long now) {
        for (KnownNode known : nodes) {
            if (!tried.contains(known) && known.tryProbe(now, PROBE_LAPSES_AFTER)) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    private Optional<KnownNode> cheapest(Collection<KnownNode> tried, long now) {
        List<KnownNode> all = nodes;
        int from = 0;
        Optional<KnownNode> best = Optional.empty();
        double handicap = 1;
        while (from < all.size()) {
            int to = from + 1;
            while (to < all.size() && all.get(to).distance() == all.get(from).distance()) {
                to++;
            }
            Optional<KnownNode> ofTier = cheaperOfTwo(all, from, to, tried, now);
            if (best.isEmpty()) {
                best = ofTier;
            } else if (ofTier.isPresent()
                    && ofTier.get().cost(now) * handicap < best.get().cost(now)) {
                best = ofTier;
            }
            handicap = best.isPresent() ? FARTHER_FACTOR : 1;
            from = to;
        }
        return best;
    }

    private Optional<KnownNode> cheaperOfTwo(
            List<KnownNode> all, int from, int to, Collection<KnownNode> tried, long now) {
        int first = drawn(all, from, to, -1, tried, now);
        if (first < 0) {
            return Optional.empty();
        }
        int second = drawn(all, from, to, first, tried, now);
        KnownNode one = all.get(first);
        if (second < 0) {
            return Optional.of(one);
        }
        KnownNode other = all.get(second);
        return Optional.of(other.cost(now) < one.cost(now) ? other : one);
    }

    /** The index of a node at random that is fine and not this one; -1 where there is none. */
    private int drawn(List<KnownNode> all, int from, int to, int butNot, Collection<KnownNode> tried, long now) {
        int size = to - from;
        for (int draw = 0; draw < DRAWS_MAX; draw++) {
            int index = from + random.nextInt(size);
            if (index != butNot && isFine(all.get(index), tried, now)) {
                return index;
            }
        }
        int begin = random.nextInt(size); // few are fine: the next of them
        for (int i = 0; i < size; i++) {
            int index = from + (begin + i) % size;
            if (index != butNot && isFine(all.get(index), tried, now)) {
                return index;
            }
        }
        return -1;
    }

    /** Where none is fine that was not tried: busy before ejected, then that which was picked longest ago. */
    private KnownNode leastBad(Collection<KnownNode> tried, long now) {
        return nodes.stream()
                .min(Comparator.<KnownNode>comparingInt(known -> tried.contains(known) ? 1 : 0)
                        .thenComparingInt(known -> rank(known.health(now)))
                        .thenComparingLong(KnownNode::pickedAtTurn))
                .orElseThrow();
    }

    private static int rank(Health health) {
        return switch (health) {
            case FINE -> 0;
            case BUSY -> 1;
            case PROBE_DUE -> 2;
            case EJECTED -> 3;
        };
    }

    private void eject(Pick pick) {
        if (ejects && pick.known.eject(pick.begunNanos, nanos.getAsLong(), ejection, random)) {
            ejections.increment();
        }
    }

    /** Whether at least half would be left, or it is out already. */
    private boolean mayEject(KnownNode known) {
        long now = nanos.getAsLong();
        List<KnownNode> all = nodes;
        if (isOut(known.health(now))) {
            return true;
        }
        long out = all.stream()
                .filter(other -> other != known && isOut(other.health(now)))
                .count();
        return 2 * (out + 1) <= all.size();
    }

    private static boolean isOut(Health health) {
        return health == Health.EJECTED || health == Health.PROBE_DUE;
    }

    synchronized void closeAll() {
        closed = true;
        nodes.forEach(known -> known.node().close());
        retired.forEach(known -> known.node().close());
    }
}
