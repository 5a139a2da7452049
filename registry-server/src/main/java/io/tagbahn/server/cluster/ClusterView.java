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
    private final List<Member> members;
    private final Map<String, ClusterMember> reachable;
    private final Placement read;
    private final Placement next;
    private final Placement nextHomes;
    private final List<Placement> writeOwners;
    private final List<Placement> writeHomes;
    private final long hash;
    private final boolean isFilling;
    private volatile @Nullable Set<String> cover;

    private ClusterView(String self, List<ClusterMember> all, int replicas, List<Ring> recent) {
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
        Ring nextRing = Ring.of(onNext.isEmpty() ? onRead : onNext);
        Ring readRing = Ring.of(onRead.isEmpty() ? onNext : onRead);
        this.next = new Placement(nextRing, replicas);
        this.read = readRing.equals(nextRing) ? next : new Placement(readRing, replicas);
        this.nextHomes = new Placement(nextRing, HOMES);
        Set<Ring> rings = new LinkedHashSet<>(List.of(nextRing, readRing));
        rings.addAll(recent);
        this.writeOwners = rings.stream()
                .map(ring -> ring.equals(nextRing) ? next : new Placement(ring, replicas))
                .toList();
        this.writeHomes = rings.stream()
                .map(ring -> ring.equals(nextRing) ? nextHomes : new Placement(ring, HOMES))
                .toList();
        this.members = all.stream()
                .map(member -> new Member(
                        member.id(),
                        member.address(),
                        member.state(),
                        member.incarnation(),
                        member.locality(),
                        OptionalDouble.of(nextRing.share(member.id()))))
                .toList();
        long sum = 0;
        for (RingMember member : nextRing.members()) {
            sum = ContentHash.mixed(sum, ContentHash.of(member.id()));
            sum = ContentHash.mixed(sum, ContentHash.of(member.zone().orElse("")));
            sum = ContentHash.mixed(sum, member.weight());
        }
        this.hash = sum;
        this.isFilling = filling;
    }

    /**
     * What these members come to.
     *
     * @param replicas owners of each entry
     * @param recent rings that were read a moment ago
     */
    public static ClusterView of(String self, List<ClusterMember> members, int replicas, List<Ring> recent) {
        return new ClusterView(self, members, replicas, recent);
    }

    public String self() {
        return self;
    }

    /** All nodes that this one knows of, itself among them. */
    public List<Member> members() {
        return members;
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

    /** The nodes that are told of a change under an entry. */
    Set<String> writeOwners(String entry) {
        return union(writeOwners, entry);
    }

    /** The nodes that are told of a change of a record; the first home comes first. */
    Set<String> homes(InstanceId id) {
        return union(writeHomes, id.value());
    }

    private Set<String> union(List<Placement> placements, String key) {
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

    /** Few nodes that hold all entries between them, without those that failed. */
    Set<String> cover(Set<String> failed) {
        Set<String> known = cover;
        if (failed.isEmpty() && known != null) {
            return known;
        }
        Set<String> usable = new LinkedHashSet<>(reachable.keySet());
        usable.removeAll(failed);
        Set<String> made = read.cover(usable, Set.of(self));
        if (failed.isEmpty()) {
            cover = made;
        }
        return made;
    }

    /** Whether all entries have an owner that can be asked, without those that failed. */
    boolean coversAll(Set<String> failed) {
        Set<String> all = new LinkedHashSet<>(reachable.keySet());
        all.removeAll(failed);
        return failed.isEmpty() || read.coversAll(all);
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
