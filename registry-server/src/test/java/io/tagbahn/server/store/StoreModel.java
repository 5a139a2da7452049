// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.StaleGeneration;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The store again, as plainly as it can be said: every answer is worked out from one map of registrations. */
final class StoreModel {

    private static final class Entry {
        Instance instance;
        Set<String> tags;
        long generation;
        long leaseMillis;
        long expiresNanos;

        Entry(Instance instance, Set<String> tags) {
            this.instance = instance;
            this.tags = tags;
        }
    }

    private record Gone(long generation, long forgottenAtNanos, boolean ended) {}

    private final LeaseTerms terms;
    private final Map<InstanceId, Entry> registered = new HashMap<>();
    private final Map<InstanceId, Gone> gone = new HashMap<>();
    private final Map<InstanceId, InstanceStatus> words = new HashMap<>();

    StoreModel(LeaseTerms terms) {
        this.terms = terms;
    }

    long register(RegisterRequest request, Now now) {
        InstanceId id = request.instance().id();
        Entry entry = registered.get(id);
        if (entry == null && request.mode() != RegisterMode.REPLACE) {
            throw new NotFound("");
        }
        long newest = newest(id, now);
        long lowest = request.mode() == RegisterMode.ADD ? newest : newest + 1;
        long generation = request.generation().orElse(Math.max(newest + 1, now.epochMillis()));
        Set<String> tags = new HashSet<>();
        request.tags().forEach(tag -> tags.add(tag.spelling()));
        if (generation < lowest) {
            throw new StaleGeneration("", newest);
        }
        if (entry == null) {
            entry = new Entry(request.instance(), tags);
            registered.put(id, entry);
        }
        switch (request.mode()) {
            case REPLACE -> {
                entry.instance = request.instance();
                entry.tags = tags;
            }
            case ADD -> entry.tags.addAll(tags);
            case REMOVE -> entry.tags.removeAll(tags);
        }
        entry.tags.add(entry.instance.serviceName().value());
        entry.generation = generation;
        if (request.mode() == RegisterMode.REPLACE || request.lease().isPresent()) {
            long asked = request.lease().orElse(terms.leaseDefault()).toMillis();
            entry.leaseMillis = Math.max(
                    terms.leaseMin().toMillis(), Math.min(terms.leaseMax().toMillis(), asked));
        }
        entry.expiresNanos = now.nanos() + entry.leaseMillis * 1_000_000;
        return generation;
    }

    long newest(InstanceId id, Now now) {
        Entry entry = registered.get(id);
        if (entry != null) {
            return entry.generation;
        }
        Gone last = gone.get(id);
        return last == null || last.forgottenAtNanos() - now.nanos() <= 0 ? 0 : last.generation();
    }

    HeartbeatResult heartbeat(List<LeaseRef> leases, Now now) {
        List<LeaseRef> unknown = new ArrayList<>();
        List<LeaseRef> superseded = new ArrayList<>();
        for (LeaseRef lease : leases) {
            Entry entry = registered.get(lease.instanceId());
            if (entry == null || entry.generation < lease.generation()) {
                unknown.add(lease);
            } else if (entry.generation > lease.generation()) {
                superseded.add(lease);
            } else {
                entry.expiresNanos = now.nanos() + entry.leaseMillis * 1_000_000;
            }
        }
        return new HeartbeatResult(unknown, superseded);
    }

    boolean deregister(LeaseRef lease, Now now) {
        Entry entry = registered.get(lease.instanceId());
        if (entry != null && lease.generation() != 0 && lease.generation() < entry.generation) {
            throw new StaleGeneration("", entry.generation);
        }
        long newest = newest(lease.instanceId(), now);
        Gone last = gone.get(lease.instanceId());
        boolean ended = newest > 0 && entry == null && last != null && last.ended();
        if (entry != null || lease.generation() > newest || (ended && lease.generation() == newest)) {
            bury(lease.instanceId(), Math.max(newest, lease.generation()), false, now);
        }
        return entry != null;
    }

    private void bury(InstanceId id, long generation, boolean ended, Now now) {
        registered.remove(id);
        gone.put(id, new Gone(generation, now.nanos() + terms.tombstone().toNanos(), ended));
    }

    void setStatus(InstanceId id, InstanceStatus status) {
        if (!registered.containsKey(id) && !words.containsKey(id)) {
            throw new NotFound("");
        }
        if (status == InstanceStatus.UP) {
            words.remove(id);
        } else {
            words.put(id, status);
        }
    }

    int tick(Now now) {
        Map<InstanceId, Long> ended = new HashMap<>();
        registered.forEach((id, entry) -> {
            if (entry.expiresNanos - now.nanos() <= 0) {
                ended.put(id, entry.generation);
            }
        });
        ended.forEach((id, generation) -> bury(id, generation, true, now));
        return ended.size();
    }

    /** Instances under an entry that may be handed out. */
    Set<Instance> peers(String name) {
        Set<Instance> peers = new HashSet<>();
        registered.forEach((id, entry) -> {
            InstanceStatus word = words.getOrDefault(id, InstanceStatus.UP);
            if (entry.tags.contains(name) && entry.instance.status().stricter(word) == InstanceStatus.UP) {
                peers.add(entry.instance);
            }
        });
        return peers;
    }

    /** All entries, sorted by the bytes themselves. */
    List<String> names() {
        Set<String> names = new TreeSet<>((a, b) ->
                Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
        registered.values().forEach(entry -> names.addAll(entry.tags));
        return List.copyOf(names);
    }

    Set<InstanceId> instances() {
        return registered.keySet();
    }
}
