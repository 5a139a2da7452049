// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.Instance;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the host for a call: of two at random in the nearest tier that has room, the one that will probably answer
 * clearly sooner, or else the one whose turn it is.
 *
 * <p>Two suffice: the best of all would be the same for all callers, and be overrun. Turns make the load even where hosts are
 * alike; they move on with each call, by less for hosts of more weight, and stay when the list changes.
 */
final class HostChoice {

    /** Random places that are looked at before all are looked through. */
    private static final int DRAWS = 3;
    /** One of two is clearly better where the other is expected to take this many times as long. */
    private static final double CLEARLY = 2;

    private final boolean byChance;
    private final boolean spillOver;
    private final int perHostMax;
    private final LongSupplier nanos;
    private final RandomGenerator random;

    HostChoice(SpreadConfig spread, int perHostMax, LongSupplier nanos, RandomGenerator random) {
        this.byChance = spread.choice() == SpreadConfig.Choice.RANDOM;
        this.spillOver = spread.spillOver();
        this.perHostMax = perHostMax;
        this.nanos = nanos;
        this.random = random;
    }

    /** A host with a permit of its breaker. */
    record Chosen(TrackedHost host, long permit) {}

    /** Nothing where no host may be called. Those that were tried come last. */
    Optional<Chosen> choose(HostSet hosts, List<TrackedHost> tried) {
        long now = nanos.getAsLong();
        // A probe's place may be taken by another thread between looking and taking it: look again, a few times.
        for (int i = 0; i < DRAWS; i++) {
            Query query = new Query(hosts, tried, now, random.nextDouble());
            TrackedHost best = query.best();
            if (best == null) {
                return query.early();
            }
            long permit = best.acquire();
            if (permit != CircuitBreaker.REFUSED) {
                return Optional.of(new Chosen(best, permit));
            }
        }
        return Optional.empty();
    }

    /** One look for a host. */
    private final class Query {
        private final HostSet hosts;
        private final List<TrackedHost> tried;
        private final long now;
        private final double chance;
        private boolean needsRoom = true;
        private boolean again;

        Query(HostSet hosts, List<TrackedHost> tried, long now, double chance) {
            this.hosts = hosts;
            this.tried = tried;
            this.now = now;
            this.chance = chance;
        }

        @Nullable
        TrackedHost best() {
            TrackedHost best = untried();
            if (best == null && !tried.isEmpty()) {
                again = true;
                best = untried();
            }
            return best;
        }

        /**
         * A probe of a host whose breaker is open, where all others' are as well: that several fail at once has more often
         * one cause, such as a caller that stood still, than several, and is soon over. Of a single host, its breaker
         * decides.
         */
        Optional<Chosen> early() {
            int size = hosts.all().size();
            int first = size < 2 ? 0 : random.nextInt(size);
            for (int i = 0; i < size && size > 1; i++) {
                TrackedHost host = hosts.all().host((first + i) % size);
                if (!isTried(host) && host.pending() < perHostMax && host.isRested(now)) {
                    long permit = host.acquireEarly();
                    if (permit != CircuitBreaker.REFUSED) {
                        return Optional.of(new Chosen(host, permit));
                    }
                }
            }
            return Optional.empty();
        }

        private @Nullable TrackedHost untried() {
            needsRoom = false;
            if (byChance) {
                return draw(hosts.all(), null, true);
            }
            needsRoom = spillOver;
            for (HostSet.Tier tier : hosts.tiers()) {
                TrackedHost best = of(tier);
                if (best != null) {
                    return best;
                }
            }
            // Nobody has room: better an even load than the nearest overrun.
            needsRoom = false;
            return spillOver ? of(hosts.all()) : null;
        }

        private @Nullable TrackedHost of(HostSet.Tier tier) {
            TrackedHost one = draw(tier, null, true);
            TrackedHost other = one == null ? null : draw(tier, one, tier.size() <= DRAWS);
            if (one == null) {
                return null;
            }
            AtomicLong turn = tier.turn();
            TrackedHost best = other == null ? one : better(one, other, turn.get());
            turn.accumulateAndGet(best.takeTurn(turn.get(), now), Math::max);
            return best;
        }

        private @Nullable TrackedHost draw(HostSet.Tier tier, @Nullable TrackedHost but, boolean thorough) {
            int size = tier.size();
            if (size > DRAWS) {
                for (int i = 0; i < DRAWS; i++) {
                    TrackedHost host = tier.host(random.nextInt(size));
                    if (host != but && isEligible(host)) {
                        return host;
                    }
                }
            }
            if (!thorough || size == 0) {
                return null;
            }
            int first = random.nextInt(size);
            for (int i = 0; i < size; i++) {
                TrackedHost host = tier.host((first + i) % size);
                if (host != but && isEligible(host)) {
                    return host;
                }
            }
            return null;
        }

        private boolean isEligible(TrackedHost host) {
            int pending = host.pending();
            return (again || !isTried(host))
                    && pending < perHostMax
                    && host.isOpen(now)
                    && (!needsRoom || host.room().takes(pending, chance));
        }

        private boolean isTried(TrackedHost host) {
            for (int i = 0; i < tried.size(); i++) {
                if (tried.get(i) == host) {
                    return true;
                }
            }
            return false;
        }

        private TrackedHost better(TrackedHost one, TrackedHost other, long turn) {
            double oneLatency = one.latencyNanos(now);
            double otherLatency = other.latencyNanos(now);
            boolean known = oneLatency > 0 && otherLatency > 0;
            double oneCost = queue(one) * (known ? oneLatency : 1);
            double otherCost = queue(other) * (known ? otherLatency : 1);
            // One that starts slowly is idle, and gets calls in its turn all the same.
            if (oneCost * CLEARLY <= otherCost && !one.isStarting()) {
                return one;
            }
            if (otherCost * CLEARLY <= oneCost && !other.isStarting()) {
                return other;
            }
            return one.turn(turn, now) - other.turn(turn, now) <= 0 ? one : other;
        }

        /** The call and those before it; weight counts for these only: of two that are idle, turns give each its share. */
        private double queue(TrackedHost host) {
            return 1 + host.pending() * Instance.WEIGHT_DEFAULT / host.share(now);
        }
    }
}
