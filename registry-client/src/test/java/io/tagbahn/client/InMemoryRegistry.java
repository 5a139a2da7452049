// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** A registry that follows the contract of the wire API on registrations, in one map and without a wire. */
final class InMemoryRegistry {

    record Entry(Instance instance, Set<String> tags, long generation, long expiresAtNanos) {}

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration HEARTBEAT = Duration.ofSeconds(10);

    final Map<InstanceId, Entry> entries = new HashMap<>();
    final Map<InstanceId, Long> tombstones = new HashMap<>();
    /** Every change of tags that became visible, in order. */
    final List<Set<String>> history = new ArrayList<>();
    /** When each REPLACE was taken. */
    final List<Duration> registeredAt = new ArrayList<>();

    final Set<String> refusedTags = new LinkedHashSet<>();
    int heartbeats;

    private final LongSupplier nanos;

    InMemoryRegistry(LongSupplier nanos) {
        this.nanos = nanos;
    }

    LeaseGrant register(RegisterRequest request) {
        expire();
        InstanceId id = request.instance().id();
        Entry known = entries.get(id);
        long generation = request.generation().orElseThrow();
        Set<String> tags = new LinkedHashSet<>();
        request.tags().stream().map(Tag::spelling).forEach(tags::add);
        for (String refused : refusedTags) {
            if (tags.contains(refused)) {
                throw new InvalidArgument("serviceTags[" + List.copyOf(tags).indexOf(refused) + "]", "refused");
            }
        }
        if (request.mode() == RegisterMode.REPLACE) {
            long newest = known == null ? tombstones.getOrDefault(id, 0L) : known.generation();
            if (generation <= newest) {
                throw new StaleGeneration("known up to " + newest, newest);
            }
            registeredAt.add(Duration.ofNanos(nanos.getAsLong()));
        } else {
            if (known == null) {
                throw new NotFound("not registered");
            }
            if (generation < known.generation()) {
                throw new StaleGeneration("known up to " + known.generation(), known.generation());
            }
            tags.addAll(known.tags());
        }
        history.add(tags);
        Duration lease = request.lease().orElse(LEASE);
        entries.put(id, new Entry(request.instance(), tags, generation, nanos.getAsLong() + lease.toNanos()));
        return new LeaseGrant(id, generation, lease, lease.dividedBy(3), 1, 1, List.of());
    }

    HeartbeatResult heartbeat(List<LeaseRef> leases) {
        expire();
        heartbeats++;
        List<LeaseRef> unknown = new ArrayList<>();
        List<LeaseRef> superseded = new ArrayList<>();
        for (LeaseRef lease : leases) {
            Entry known = entries.get(lease.instanceId());
            if (known == null || known.generation() < lease.generation()) {
                unknown.add(lease);
            } else if (known.generation() > lease.generation()) {
                superseded.add(lease);
            } else {
                entries.put(
                        lease.instanceId(),
                        new Entry(
                                known.instance(),
                                known.tags(),
                                known.generation(),
                                nanos.getAsLong() + LEASE.toNanos()));
            }
        }
        return new HeartbeatResult(unknown, superseded);
    }

    void deregister(LeaseRef lease) {
        expire();
        Entry known = entries.get(lease.instanceId());
        if (known != null && lease.generation() != 0 && lease.generation() < known.generation()) {
            throw new StaleGeneration("known up to " + known.generation(), known.generation());
        }
        long generation = Math.max(lease.generation(), known == null ? 0 : known.generation());
        entries.remove(lease.instanceId());
        tombstones.merge(lease.instanceId(), generation, Math::max);
    }

    /** As a node that was killed and started with empty hands. */
    void restartEmpty() {
        entries.clear();
        tombstones.clear();
    }

    Set<String> tags(InstanceId id) {
        expire();
        Entry known = entries.get(id);
        return known == null ? Set.of() : known.tags();
    }

    /** The generation that is registered; 0 where none is. */
    long generation(InstanceId id) {
        Entry known = entries.get(id);
        return known == null ? 0 : known.generation();
    }

    boolean holds(InstanceId id) {
        expire();
        return entries.containsKey(id);
    }

    private void expire() {
        List<Entry> ended = entries.values().stream()
                .filter(entry -> entry.expiresAtNanos() - nanos.getAsLong() <= 0)
                .toList();
        for (Entry entry : ended) {
            entries.remove(entry.instance().id());
            tombstones.merge(entry.instance().id(), entry.generation(), Math::max);
        }
    }
}
