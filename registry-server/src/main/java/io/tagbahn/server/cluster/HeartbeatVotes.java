// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.peer.Renewed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the homes say of leases.
 *
 * <p>One that knows a newer generation is right. Otherwise one that has renewed the lease is: those that don't know it
 * have missed it, and are to be given it; those that are being filled don't count at all. A lease of which nobody said
 * anything is left to the next heartbeat.
 */
final class HeartbeatVotes {

    private final List<LeaseRef> leases;
    private final Map<LeaseRef, Votes> votes = new LinkedHashMap<>();

    private static final class Votes {
        private final List<String> renewed = new ArrayList<>();
        private final List<String> lacking = new ArrayList<>();
        private boolean unknown;
        private boolean superseded;
    }

    /** Instances that one home has and another lacks. */
    record Repair(String from, String to, List<InstanceId> ids) {}

    HeartbeatVotes(List<LeaseRef> leases) {
        this.leases = leases;
    }

    synchronized void count(String home, List<LeaseRef> asked, Renewed said) {
        Set<LeaseRef> unknown = new HashSet<>(said.result().unknown());
        Set<LeaseRef> superseded = new HashSet<>(said.result().superseded());
        for (LeaseRef lease : asked) {
            Votes of = votes.computeIfAbsent(lease, unused -> new Votes());
            if (superseded.contains(lease)) {
                of.superseded = true;
            } else if (unknown.contains(lease)) {
                of.lacking.add(home);
                of.unknown |= said.node().filled();
            } else {
                of.renewed.add(home);
            }
        }
    }

    /** Whether nobody has said anything. */
    synchronized boolean isEmpty() {
        return votes.isEmpty();
    }

    synchronized HeartbeatResult result() {
        List<LeaseRef> unknown = new ArrayList<>();
        List<LeaseRef> superseded = new ArrayList<>();
        for (LeaseRef lease : leases) {
            Votes of = votes.get(lease);
            if (of == null) {
                continue;
            }
            if (of.superseded) {
                superseded.add(lease);
            } else if (of.unknown && of.renewed.isEmpty()) {
                unknown.add(lease);
            }
        }
        return new HeartbeatResult(unknown, superseded);
    }

    synchronized List<Repair> repairs() {
        Map<List<String>, List<InstanceId>> byWay = new LinkedHashMap<>();
        votes.forEach((lease, of) -> {
            if (!of.superseded && !of.renewed.isEmpty()) {
                for (String lacking : of.lacking) {
                    byWay.computeIfAbsent(List.of(of.renewed.get(0), lacking), way -> new ArrayList<>())
                            .add(lease.instanceId());
                }
            }
        });
        List<Repair> repairs = new ArrayList<>();
        byWay.forEach((way, ids) -> repairs.add(new Repair(way.get(0), way.get(1), ids)));
        return repairs;
    }
}
