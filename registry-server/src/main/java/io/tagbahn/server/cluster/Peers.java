// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The nodes that can be asked, by id: this one, and a connection to each other member. */
final class Peers implements AutoCloseable {

    private final Replica self;
    private final Function<ClusterMember, Replica> connect;
    private final Map<String, Connected> others = new ConcurrentHashMap<>();

    private record Connected(ClusterMember member, Replica replica) {}

    /** @param connect makes a replica that connects when it is first asked; it is closed where it can be */
    Peers(Replica self, Function<ClusterMember, Replica> connect) {
        this.self = self;
        this.connect = connect;
    }

    Replica self() {
        return self;
    }

    /** Lets go of nodes that are gone; one that has started anew is connected anew, and counts as stalled no longer. */
    void keepOnly(Map<String, ClusterMember> members) {
        others.values().removeIf(connected -> {
            ClusterMember member = members.get(connected.member().id());
            boolean gone = member == null
                    || !member.peerAddress().equals(connected.member().peerAddress())
                    || (member.stage() == Stage.JOINING && connected.member().stage() != Stage.JOINING);
            if (gone) {
                close(connected.replica());
            }
            return gone;
        });
    }

    /** Absent where the node is no member any more. */
    Optional<Replica> get(String id, ClusterView view) {
        if (id.equals(self.id())) {
            return Optional.of(self);
        }
        ClusterMember member = view.reachable().get(id);
        if (member == null) {
            return Optional.empty();
        }
        return Optional.of(others.computeIfAbsent(id, unused -> new Connected(member, connect.apply(member)))
                .replica());
    }

    Collection<Replica> connected() {
        return others.values().stream().map(Connected::replica).toList();
    }

    private static void close(Replica replica) {
        if (replica instanceof RemoteReplica remote) {
            remote.close();
        }
    }

    @Override
    public void close() {
        others.values().forEach(connected -> close(connected.replica()));
        others.clear();
    }
}
