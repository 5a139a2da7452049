// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Member;
import io.tagbahn.server.ring.Placement;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import io.tagbahn.server.store.ContentHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one node sees it at one moment: immutable, replaced as a whole.
 *
 * <p>There are several rings at a time. On the <em>next</em> one are all that will own keys: those that join as well,
 * those that leave no more. On the one that is <em>read</em> are those that hold what they own: those that leave as
 * well; those that join not until all of them are filled, since each is filled with its share of the next ring, not of
 * one without the others. <em>Recent</em> ones were read a moment ago and may still be, by nodes that have not
 * heard of the change. Writes go to the owners on all of them.
 */
public final class ClusterView {

    /** How many nodes keep the record of a registration. */
    public static final int HOMES = 3;

    private final String self;
    private final List<ClusterMember> all;
    private final Map<String, ClusterMember> reachable;
    private final Placement read;
    private final Placement next;
    private final Placement nextHomes;
    private final List<Placement> writeOwners;
    private final List<Placement> writeHomes;
    private final Set<Ring> writeRings;
    private final List<Listed> listed;
    private final long hash;
    private final boolean isFilling;

    /** A ring by which all entries can be listed. */
    final class Listed {
        private final Placement placement;
        private final long hash;
        /** What was worked out last; most questions are the same. */
        private volatile @Nullable Cover known;

        Listed(Placement placement) {
            this.placement = placement;
            this.hash = hashOf(placement.ring());
        }

        long hash() {
            return hash;
        }

        /**
         * Few nodes that hold all entries between them, without those that are of no use, this node among them if it
         * can be; or as many entries as there are.
         */
        Cover cover(Set<String> useless) {
            Cover last = known;
            if (last != null && last.useless().equals(useless)) {
                return last;
            }
            Set<String> usable = new LinkedHashSet<>(reachable.keySet());
            usable.removeAll(useless);
            Cover made =
                    new Cover(Set.copyOf(useless), placement.cover(usable, Set.of(self)), placement.coversAll(usable));
            known = made;
            return made;
        }

        /** Whether these nodes own all entries between them. */
        boolean isCoveredBy(Set<String> nodes) {
            return placement.coversAll(nodes);
        }
    }

    /**
     * Nodes that are to be asked for all entries.
     *
     * @param whole whether there is no entry that only others hold
     */
    record Cover(Set<String> useless, Set<String> nodes, boolean whole) {}

    private ClusterView(
            String self,
            List<ClusterMember> all,
            int replicas,
            List<Ring> recent,
            List<Ring> past,
            Ring likeNext,
            Ring likeRead) {
        this.self = self;
        this.reachable = new LinkedHashMap<>();
        List<RingMember> onNext = new ArrayList<>();
        List<RingMember> onRead = new ArrayList<>();
        boolean filling = all.stream().anyMatch(member -> member.isReachable() && member.stage() == Stage.JOINING);
        for (ClusterMember member : all) {
            if (member.isReachable()) {
                reachable.put(member.id(), member);
                if (member.stage() != Stage.LEAVING) {
                    onNext.add(member.onRing());
                }
                if (member.stage() != Stage.JOINING && !(filling && member.stage() == Stage.FILLED)) {
                    onRead.add(member.onRing());
                }
            }
        }
        Ring nextRing = likeNext.withMembers(onNext.isEmpty() ? onRead : onNext);
        List<RingMember> readers = onRead.isEmpty() ? onNext : onRead;
        Ring readRing = likeRead.isOf(readers) ? likeRead : nextRing.withMembers(readers);
        this.next = new Placement(nextRing, replicas);
        this.read = readRing.equals(nextRing) ? next : new Placement(readRing, replicas);
        this.nextHomes = new Placement(nextRing, HOMES);
        Set<Ring> rings = new LinkedHashSet<>(List.of(nextRing, readRing));
        rings.addAll(recent);
        this.writeRings = rings;
        this.listed = new ArrayList<>();
        listed.add(new Listed(read));
        for (Ring ring : past) {
            if (!ring.isEmpty() && !ring.equals(readRing)) {
                listed.add(new Listed(new Placement(ring, replicas)));
            }
        }
        this.writeOwners = rings.stream()
                .map(ring -> ring.equals(nextRing) ? next : new Placement(ring, replicas))
                .toList();
        this.writeHomes = rings.stream()
                .map(ring -> ring.equals(nextRing) ? nextHomes : new Placement(ring, HOMES))
                .toList();
        this.all = List.copyOf(all);
        this.hash = hashOf(nextRing);
        this.isFilling = filling;
    }

    /** What stands for a ring between nodes. */
    static long hashOf(Ring ring) {
        long sum = 0;
        for (RingMember member : ring.members()) {
            sum = ContentHash.mixed(sum, ContentHash.of(member.id()));
            sum = ContentHash.mixed(sum, ContentHash.of(member.zone().orElse("")));
            sum = ContentHash.mixed(sum, member.weight());
        }
        return sum;
    }

    /**
     * What these members come to.
     *
     * @param replicas owners of each entry
     * @param recent rings that were read a moment ago
     * @param past rings that were read before, newest first
     */
    public static ClusterView of(
            String self, List<ClusterMember> members, int replicas, List<Ring> recent, List<Ring> past) {
        return new ClusterView(self, members, replicas, recent, past, Ring.empty(), Ring.empty());
    }

    /** What these members come to, made from this view: the less has changed, the less it costs. */
    ClusterView changed(List<ClusterMember> members, List<Ring> recent, List<Ring> past) {
        return new ClusterView(self, members, replicas(), recent, past, next.ring(), read.ring());
    }

    public String self() {
        return self;
    }

    /** All nodes that this one knows of, itself among them. */
    public List<Member> members() {
        return all.stream()
                .map(member -> new Member(
                        member.id(),
                        member.address(),
                        member.state(),
                        member.incarnation(),
                        member.locality(),
                        OptionalDouble.of(nextRing().share(member.id()))))
                .toList();
    }

    /** Whether this node has heard of a node, be it gone. */
    boolean knows(String node) {
        return all.stream().anyMatch(member -> member.id().equals(node));
    }

    /** Members to which something can be sent, by id. */
    public Map<String, ClusterMember> reachable() {
        return reachable;
    }

    /** Whether nobody else is there. */
    public boolean isAlone() {
        return reachable.size() == 1 && writeOwners.size() == 1;
    }

    /** A hash of the ring that all nodes will agree on. */
    public long hash() {
        return hash;
    }

    /** A hash of who owns what, for reads and for writes. */
    long layout() {
        long sum = hash;
        for (RingMember member : read.ring().members()) {
            sum = ContentHash.mixed(sum, ContentHash.of(member.id()));
            sum = ContentHash.mixed(sum, ContentHash.of(member.zone().orElse("")));
            sum = ContentHash.mixed(sum, member.weight());
        }
        return sum;
    }

    public int replicas() {
        return next.replicas();
    }

    public Ring readRing() {
        return read.ring();
    }

    public Ring nextRing() {
        return next.ring();
    }

    /** What this node is to be filled with: its share of either. */
    List<Placement> toFill() {
        return read == next ? List.of(next) : List.of(next, read);
    }

    /** Whether some member isn't filled yet. */
    boolean isFilling() {
        return isFilling;
    }

    /** Whether a member has not been filled yet with what it should hold. */
    boolean isJoining(String node) {
        ClusterMember member = reachable.get(node);
        return member != null && member.stage() == Stage.JOINING;
    }

    /** The homes on the ring that is read and on the next one. */
    Set<String> presentHomes(InstanceId id) {
        Set<String> nodes = new LinkedHashSet<>(nextHomes.owners(id.value()));
        if (read != next) {
            nodes.addAll(new Placement(read.ring(), HOMES).owners(id.value()));
        }
        return nodes;
    }

    /** The owners on the ring that is read and on the next one. */
    Set<String> presentOwners(String entry) {
        Set<String> nodes = new LinkedHashSet<>(next.owners(entry));
        if (read != next) {
            nodes.addAll(read.owners(entry));
        }
        return nodes;
    }

    boolean isStable() {
        return writeOwners.size() == 1;
    }

    /** The nodes that are asked for an entry, first owner first. */
    public List<String> owners(String entry) {
        return read.owners(entry);
    }

    /** The nodes that hold an entry once all is as it should be. */
    public List<String> futureOwners(String entry) {
        return next.owners(entry);
    }

    /** The nodes that hold a record once all is as it should be, first home first. */
    public List<String> futureHomes(InstanceId id) {
        return nextHomes.owners(id.value());
    }

    /** The nodes that are told of a change under an entry, in any order. */
    Collection<String> writeOwners(String entry) {
        if (isStable() && next.isAllOwnAll()) {
            return next.ring().ids();
        }
        return union(writeOwners, entry);
    }

    /** The nodes that are told of a change of a record; the first home comes first. */
    Collection<String> homes(InstanceId id) {
        return union(writeHomes, id.value());
    }

    private Collection<String> union(List<Placement> placements, String key) {
        if (placements.size() == 1) {
            return placements.get(0).owners(key); // all on the next ring can be reached
        }
        Set<String> nodes = new LinkedHashSet<>();
        for (Placement placement : placements) {
            for (String node : placement.owners(key)) {
                if (reachable.containsKey(node)) {
                    nodes.add(node);
                }
            }
        }
        return nodes;
    }

    /** How many copies of a record there should be. */
    int homesWanted() {
        return Math.min(HOMES, next.ring().size());
    }

    /** Whether this node is told of changes under an entry. */
    boolean ownsForWrites(String entry) {
        for (Placement placement : writeOwners) {
            if (placement.owns(self, entry)) {
                return true;
            }
        }
        return false;
    }

    /** The rings whose owners are told of changes. */
    Set<Ring> writeRings() {
        return writeRings;
    }

    /** The rings by which all entries can be listed: the one that is read, then those that were, newest first. */
    List<Listed> listed() {
        return listed;
    }

    /** How near a node stands; lower is nearer. */
    int distance(String node) {
        if (node.equals(self)) {
            return 0;
        }
        ClusterMember mine = reachable.get(self);
        ClusterMember other = reachable.get(node);
        if (mine == null || other == null) {
            return 4;
        }
        Locality here = mine.locality();
        Locality there = other.locality();
        if (same(here.node(), there.node())) {
            return 1;
        }
        return same(here.zone(), there.zone()) ? 2 : same(here.region(), there.region()) ? 3 : 4;
    }

    private static boolean same(Optional<String> here, Optional<String> there) {
        return here.isPresent() && here.equals(there);
    }
}
