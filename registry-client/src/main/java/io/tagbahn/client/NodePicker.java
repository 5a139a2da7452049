// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The choice of the node that a call goes to: those not tried yet before those tried, those that work before those that
 * failed a moment ago, then the one with the fewest calls pending, and of equals the one that was picked longest ago.
 */
final class NodePicker {

    /** A node, with what is known of its load and health. */
    static final class Candidate {
        private final RegistryNode node;
        private final AtomicInteger pending = new AtomicInteger();
        private volatile boolean failed;
        private volatile long failedAtNanos;
        private volatile long pickedAtTurn;

        private Candidate(RegistryNode node) {
            this.node = node;
        }

        RegistryNode node() {
            return node;
        }
    }

    private final List<Candidate> candidates;
    private final AtomicLong turn = new AtomicLong();
    private final long avoidFailedNanos;
    private final LongSupplier nanos;

    NodePicker(List<RegistryNode> nodes, Duration avoidFailedFor, LongSupplier nanos, RandomGenerator random) {
        this.candidates = nodes.stream().map(Candidate::new).toList();
        // Clients that were given the same list don't all begin with its first node.
        int first = random.nextInt(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            candidates.get((first + i) % nodes.size()).pickedAtTurn = turn.getAndIncrement();
        }
        this.avoidFailedNanos = avoidFailedFor.toNanos();
        this.nanos = nanos;
    }

    int size() {
        return candidates.size();
    }

    /** Picks a node and counts the call as pending until {@link #answered} or {@link #failed}. */
    Candidate pick(Set<Candidate> tried) {
        return pick(tried, Optional.empty());
    }

    /** The same, but of those that were not tried a certain one before all others. */
    Candidate pick(Set<Candidate> tried, Optional<Candidate> preferred) {
        Candidate best =
                preferred.filter(candidate -> !tried.contains(candidate)).orElseGet(() -> best(tried));
        best.pickedAtTurn = turn.getAndIncrement();
        best.pending.incrementAndGet();
        return best;
    }

    private Candidate best(Set<Candidate> tried) {
        long now = nanos.getAsLong();
        Candidate best = candidates.get(0);
        for (Candidate candidate : candidates) {
            if (before(candidate, best, tried, now)) {
                best = candidate;
            }
        }
        return best;
    }

    void answered(Candidate candidate) {
        candidate.failed = false;
        candidate.pending.decrementAndGet();
    }

    void failed(Candidate candidate) {
        candidate.failedAtNanos = nanos.getAsLong();
        candidate.failed = true;
        candidate.pending.decrementAndGet();
    }

    void closeAll() {
        candidates.forEach(candidate -> candidate.node.close());
    }

    private boolean before(Candidate one, Candidate other, Set<Candidate> tried, long now) {
        if (tried.contains(one) != tried.contains(other)) {
            return tried.contains(other);
        }
        if (avoided(one, now) != avoided(other, now)) {
            return avoided(other, now);
        }
        int pending = Integer.compare(one.pending.get(), other.pending.get());
        return pending < 0 || (pending == 0 && one.pickedAtTurn < other.pickedAtTurn);
    }

    private boolean avoided(Candidate candidate, long now) {
        return candidate.failed && now - candidate.failedAtNanos < avoidFailedNanos;
    }
}
