// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What joins parted halves again and forgets the dead: asks the dead in turn whether they live, looks at the seeds
 * again, keeps the addresses of members for the next start.
 */
final class Healer {

    /** A member that is alone looks at the seeds so many times as often. */
    private static final int ALONE_HASTE = 6;

    private static final int PEERS_KEPT_MAX = 64;
    private static final long PEERS_KEPT_EVERY_NANOS = 10_000_000_000L;

    private final HealConfig config;
    private final Self self;
    private final MemberTable table;
    private final Ledger ledger;
    private final Outbox outbox;
    private final Wishes wishes;
    private final List<String> seeds;
    private final RandomGenerator random;
    private int asked;
    private long peersVersion;
    private long probeAtNanos = Long.MAX_VALUE;
    private long seedsAtNanos = Long.MAX_VALUE;
    private long peersAtNanos = Long.MAX_VALUE;

    Healer(
            HealConfig config,
            Self self,
            MemberTable table,
            Ledger ledger,
            Outbox outbox,
            Wishes wishes,
            List<String> seeds,
            RandomGenerator random) {
        this.config = config;
        this.self = self;
        this.table = table;
        this.ledger = ledger;
        this.outbox = outbox;
        this.wishes = wishes;
        this.seeds = List.copyOf(seeds);
        this.random = random;
    }

    void begin(long nowNanos) {
        probeAtNanos = nowNanos + random.nextLong(config.interval().toNanos());
        seedsAtNanos = nowNanos + config.seedInterval().toNanos() / ALONE_HASTE;
        peersAtNanos = nowNanos + PEERS_KEPT_EVERY_NANOS;
    }

    void tick(long nowNanos) {
        if (nowNanos >= probeAtNanos) {
            probeAtNanos = nowNanos + config.interval().toNanos();
            forget(nowNanos);
            askDead();
        }
        if (nowNanos >= seedsAtNanos) {
            long interval = config.seedInterval().toNanos() / (table.liveCount() == 0 ? ALONE_HASTE : 1);
            seedsAtNanos = nowNanos + interval / 2 + random.nextLong(interval / 2);
            if (!seeds.isEmpty()) {
                outbox.add(new Effect.ResolveSeeds(seeds));
            }
        }
        if (nowNanos >= peersAtNanos) {
            peersAtNanos = nowNanos + PEERS_KEPT_EVERY_NANOS;
            keepPeers();
        }
    }

    private void forget(long nowNanos) {
        for (MemberEntry entry : table.gone()) {
            if (!entry.forgotten
                    && nowNanos - entry.sinceNanos >= config.shown().toNanos()) {
                ledger.forget(entry);
            }
        }
        table.forgetGone(nowNanos - config.remembered().toNanos());
    }

    /** The latest dead is asked each time, the others in turn; those that left are left in peace. */
    private void askDead() {
        List<MemberEntry> dead = new ArrayList<>();
        for (MemberEntry entry : table.gone()) {
            if (entry.state == MemberState.DEAD) {
                dead.add(entry);
            }
        }
        for (int i = 0; i < Math.min(config.probes(), dead.size()); i++) {
            MemberEntry entry = dead.get(i == 0 ? dead.size() - 1 : asked++ % dead.size());
            // It hears of its death with the question; its refutation makes it known as alive again.
            outbox.send(
                    entry.address(), new Message.Ping(random.nextLong() >>> 16, entry.id()), entry.claim(self.id()));
        }
    }

    /** One of the seeds that is no live member may belong to another part of the cluster. */
    void seedsResolved(List<HostPort> addresses) {
        List<HostPort> strangers = new ArrayList<>(addresses);
        strangers.removeIf(address ->
                address.equals(self.node().gossip()) || table.liveAt(address).isPresent());
        if (!strangers.isEmpty()) {
            wishes.exchange(strangers.get(random.nextInt(strangers.size())));
        }
    }

    private void keepPeers() {
        if (ledger.version() == peersVersion || table.liveCount() == 0) {
            return; // An empty list must not replace the memory of a cluster that we lost sight of.
        }
        peersVersion = ledger.version();
        List<MemberEntry> kept = new ArrayList<>(table.live());
        Shuffle.shuffle(kept, random);
        outbox.add(new Effect.PersistPeers(
                kept.stream().limit(PEERS_KEPT_MAX).map(MemberEntry::address).toList()));
    }

    long nextNanos() {
        return Math.min(probeAtNanos, Math.min(seedsAtNanos, peersAtNanos));
    }
}
