// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The search for the others at start: asks seeds and remembered members in turn until one answers. */
final class Joiner {

    private static final Logger log = LoggerFactory.getLogger(Joiner.class);

    private final JoinConfig config;
    private final Self self;
    private final List<String> seeds;
    private final List<HostPort> remembered;
    private final Outbox outbox;
    private final Wishes wishes;
    private final RandomGenerator random;
    private List<HostPort> candidates = new ArrayList<>();
    private int at;
    private long aloneAtNanos = Long.MAX_VALUE;
    private long nextNanos = Long.MAX_VALUE;
    private long pauseNanos;

    Joiner(
            JoinConfig config,
            Self self,
            List<String> seeds,
            List<HostPort> remembered,
            Outbox outbox,
            Wishes wishes,
            RandomGenerator random) {
        this.config = config;
        this.self = self;
        this.seeds = List.copyOf(seeds);
        this.remembered = List.copyOf(remembered);
        this.outbox = outbox;
        this.wishes = wishes;
        this.random = random;
        this.pauseNanos = config.retryMin().toNanos();
    }

    void begin(long nowNanos) {
        aloneAtNanos = nowNanos + config.aloneAfter().toNanos();
        nextNanos = nowNanos + config.retryMin().toNanos();
        if (!seeds.isEmpty()) {
            outbox.add(new Effect.ResolveSeeds(seeds));
        }
        candidates(List.of());
        if (!candidates.isEmpty()) {
            nextNanos = nowNanos;
        } else if (seeds.isEmpty()) {
            alone();
        }
    }

    void seedsResolved(List<HostPort> addresses, long nowNanos) {
        if (!self.joining()) {
            return;
        }
        boolean first = candidates.isEmpty();
        candidates(addresses);
        if (candidates.isEmpty() && addresses.contains(self.node().gossip())) {
            alone(); // The only seed is this node itself.
        } else if (first && !candidates.isEmpty()) {
            nextNanos = nowNanos;
        }
    }

    private void candidates(List<HostPort> addresses) {
        Set<HostPort> all = new LinkedHashSet<>(addresses);
        all.addAll(remembered);
        all.remove(self.node().gossip());
        candidates = new ArrayList<>(all);
        Shuffle.shuffle(candidates, random);
    }

    void tick(long nowNanos) {
        if (!self.joining() || nowNanos < Math.min(nextNanos, aloneAtNanos)) {
            return;
        }
        if (nowNanos >= aloneAtNanos) {
            log.warn("member {} reached nobody within {}: goes on alone", self.id(), config.aloneAfter());
            alone();
            return;
        }
        for (int i = 0; i < Math.min(2, candidates.size()); i++) {
            wishes.exchange(candidates.get(at++ % candidates.size()));
        }
        if (!seeds.isEmpty()) {
            outbox.add(new Effect.ResolveSeeds(seeds));
        }
        // Many that start together must not come back together.
        nextNanos = nowNanos + pauseNanos / 2 + random.nextLong(pauseNanos / 2 + 1);
        pauseNanos = Math.min(2 * pauseNanos, config.retryMax().toNanos());
    }

    private void alone() {
        self.enter(Self.Phase.MEMBER);
        outbox.add(new Effect.Joined(true));
    }

    long nextNanos() {
        return self.joining() ? Math.min(nextNanos, aloneAtNanos) : Long.MAX_VALUE;
    }
}
