// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.LeaseRef;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.LeasesLeft;
import io.tagbahn.server.replication.Hints;
import io.tagbahn.server.store.Expiry;
import io.tagbahn.server.store.Held;
import io.tagbahn.server.store.Now;
import io.tagbahn.server.store.RegistrationStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What follows from leases that end at this node.
 *
 * <p>Before one ends, the other homes are asked whether it goes on there: this node may have missed heartbeats. Once it
 * has ended, the owners of the instance's entries are told.
 */
final class LeaseEnds {

    private final LocalReplica replica;
    private final ClusterState state;
    private final Peers peers;
    private final Hints hints;
    private final Duration peerTimeout;
    private final LongSupplier ticker;

    LeaseEnds(
            LocalReplica replica,
            ClusterState state,
            Peers peers,
            Hints hints,
            Duration peerTimeout,
            LongSupplier ticker) {
        this.replica = replica;
        this.state = state;
        this.peers = peers;
        this.hints = hints;
        this.peerTimeout = peerTimeout;
        this.ticker = ticker;
    }

    void accept(Expiry expiry) {
        ClusterView view = state.view();
        if (view.isAlone()) {
            return;
        }
        ask(view, expiry.ending());
        tell(view, expiry.ended());
    }

    private void ask(ClusterView view, List<Held> ending) {
        Map<String, List<LeaseRef>> byHome = new LinkedHashMap<>();
        for (Held held : ending) {
            for (String home : view.homes(held.id())) {
                if (!home.equals(view.self())) {
                    byHome.computeIfAbsent(home, node -> new ArrayList<>())
                            .add(new LeaseRef(held.id(), held.generation()));
                }
            }
        }
        long untilNanos = ticker.getAsLong() + RegistrationStore.ENDING.toNanos();
        byHome.forEach((home, leases) -> peers.get(home, view)
                .filter(peer -> !peer.isStalled())
                .ifPresent(peer -> peer.leases(leases, untilNanos)
                        .thenCompose(left -> replica.write(untilNanos, (store, now) -> {
                            prolong(store, leases, left, now);
                            return left;
                        }))));
    }

    private static void prolong(RegistrationStore store, List<LeaseRef> leases, LeasesLeft left, Now now) {
        for (int i = 0; i < Math.min(leases.size(), left.leftMillis().size()); i++) {
            if (left.leftMillis().get(i) > 0) {
                store.prolong(leases.get(i), left.leftMillis().get(i), now);
            }
        }
    }

    private void tell(ClusterView view, List<Held> ended) {
        Map<String, List<Change>> byNode = new LinkedHashMap<>();
        for (Held held : ended) {
            Set<String> nodes = new LinkedHashSet<>();
            held.entries().forEach(entry -> nodes.addAll(view.writeOwners(entry)));
            nodes.remove(view.self());
            Change removal = new Change.Removal(held.id(), held.generation(), true);
            nodes.forEach(node ->
                    byNode.computeIfAbsent(node, unused -> new ArrayList<>()).add(removal));
        }
        long nowNanos = ticker.getAsLong();
        byNode.forEach((node, removals) -> {
            Optional<Replica> peer = peers.get(node, view).filter(replicaThere -> !replicaThere.isStalled());
            if (peer.isEmpty()) {
                removals.forEach(removal -> hints.add(node, removal, nowNanos));
                return;
            }
            peer.get().apply(removals, nowNanos + peerTimeout.toNanos()).whenComplete((done, error) -> {
                if (error != null) {
                    removals.forEach(removal -> hints.add(node, removal, ticker.getAsLong()));
                }
            });
        });
    }
}
