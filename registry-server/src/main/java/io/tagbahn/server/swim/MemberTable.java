// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The other members: the live ones, and the dead and departed that are still remembered. */
final class MemberTable {

    private final Map<String, MemberEntry> live = new HashMap<>();
    private final List<MemberEntry> liveList = new ArrayList<>();
    private final Map<HostPort, MemberEntry> liveByAddress = new HashMap<>();
    /** In the order of their deaths. */
    private final Map<String, MemberEntry> gone = new LinkedHashMap<>();

    /** In the order of the suspicions. */
    private final Map<String, MemberEntry> suspects = new LinkedHashMap<>();

    private final int goneMax;
    private final RandomGenerator random;

    MemberTable(int goneMax, RandomGenerator random) {
        this.goneMax = goneMax;
        this.random = random;
    }

    Optional<MemberEntry> get(String id) {
        MemberEntry entry = live.get(id);
        return Optional.ofNullable(entry == null ? gone.get(id) : entry);
    }

    Optional<MemberEntry> liveAt(HostPort address) {
        return Optional.ofNullable(liveByAddress.get(address));
    }

    int liveCount() {
        return liveList.size();
    }

    List<MemberEntry> live() {
        return liveList;
    }

    /** The dead and departed, the earliest first. */
    Collection<MemberEntry> gone() {
        return gone.values();
    }

    Collection<MemberEntry> suspects() {
        return suspects.values();
    }

    /** Puts a new entry, or one whose state has changed, where its state belongs. */
    void place(MemberEntry entry) {
        String id = entry.id();
        if (entry.state == MemberState.SUSPECT) {
            suspects.put(id, entry);
        } else {
            suspects.remove(id);
            entry.suspicion = null;
        }
        if (entry.live()) {
            gone.remove(id);
            entry.forgotten = false;
            if (entry.liveIndex < 0) {
                entry.liveIndex = liveList.size();
                liveList.add(entry);
                live.put(id, entry);
            }
            liveByAddress.put(entry.address(), entry);
        } else {
            removeLive(entry);
            gone.remove(id);
            gone.put(id, entry);
            if (gone.size() > goneMax) {
                gone.remove(gone.keySet().iterator().next());
            }
        }
    }

    private void removeLive(MemberEntry entry) {
        if (entry.liveIndex >= 0) {
            MemberEntry last = liveList.remove(liveList.size() - 1);
            if (last != entry) {
                liveList.set(entry.liveIndex, last);
                last.liveIndex = entry.liveIndex;
            }
            entry.liveIndex = -1;
            live.remove(entry.id());
            liveByAddress.remove(entry.address(), entry);
        }
    }

    /** Another address of a live entry, before its record is replaced. */
    void readdress(MemberEntry entry) {
        liveByAddress.remove(entry.address(), entry);
    }

    /** Different live members drawn at random, as many as there are up to {@code count}. */
    List<MemberEntry> draw(int count, Predicate<MemberEntry> fit) {
        List<MemberEntry> drawn = new ArrayList<>(count);
        int size = liveList.size();
        if (size <= 3 * count) {
            List<MemberEntry> rest = new ArrayList<>(liveList);
            rest.removeIf(fit.negate());
            while (drawn.size() < count && !rest.isEmpty()) {
                drawn.add(rest.remove(random.nextInt(rest.size())));
            }
            return drawn;
        }
        for (int tries = 0; tries < 8 * count && drawn.size() < count; tries++) {
            MemberEntry entry = liveList.get(random.nextInt(size));
            if (fit.test(entry) && !drawn.contains(entry)) {
                drawn.add(entry);
            }
        }
        return drawn;
    }

    /** Forgets the gone that are remembered no longer. */
    void forgetGone(long sinceBeforeNanos) {
        gone.values().removeIf(entry -> entry.sinceNanos < sinceBeforeNanos);
    }

    /** A number that is the same for the same live members with the same incarnations, whatever their order. */
    long digest(Claim.Alive self) {
        long sum = mixed(self.node(), self.incarnation());
        for (MemberEntry entry : liveList) {
            sum += mixed(entry.node, entry.incarnation);
        }
        return sum & Long.MAX_VALUE;
    }

    private static long mixed(NodeRecord node, long incarnation) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < node.id().length(); i++) {
            hash = (hash ^ node.id().charAt(i)) * 0x100000001b3L;
        }
        hash ^= node.run() * 0x9e3779b97f4a7c15L + incarnation;
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
