// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.ring.Ring;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rings, newest first, of which a node holds all that they want of it.
 *
 * <p>When a node goes, those that are left own what they did, and more: until they are filled with that, they still hold
 * all that the ring before wants of them. When a node comes, they own less, and let go of it after a while.
 */
record WholeRings(List<Ring> rings) {

    static final WholeRings NONE = new WholeRings(List.of());

    private static final int RINGS_MAX = 8;

    WholeRings {
        rings = List.copyOf(rings);
    }

    /** These and those of a view, after the node was filled with what they want of it. */
    WholeRings filledFor(ClusterView view) {
        WholeRings more = with(view.nextRing());
        return view.nextRing().equals(view.readRing()) ? more : more.with(view.readRing());
    }

    /**
     * What is left of these when one view follows another, and what follows from it.
     *
     * @param actedOn the rings that all others certainly act on still
     */
    WholeRings seenBy(ClusterView before, ClusterView view, Set<Ring> actedOn) {
        // Who joins acts on the rings that it finds, and tells nobody who owned something by an earlier one.
        Set<Ring> told = joins(before, view)
                ? new HashSet<>(List.of(before.readRing(), before.nextRing(), view.readRing(), view.nextRing()))
                : actedOn;
        WholeRings kept = new WholeRings(rings.stream()
                .filter(ring -> told.contains(ring)
                        || ring.members().containsAll(view.nextRing().members()))
                .toList());
        for (Ring ring : List.of(view.readRing(), view.nextRing())) {
            if (kept.rings().stream().anyMatch(whole -> wantsNoMore(ring, whole, view.self()))) {
                kept = kept.with(ring);
            }
        }
        return kept;
    }

    /** A larger ring wants less of each member that the smaller one has; of others it may want something for the first time. */
    private static boolean wantsNoMore(Ring larger, Ring smaller, String node) {
        return smaller.member(node).isPresent() && larger.members().containsAll(smaller.members());
    }

    private static boolean joins(ClusterView before, ClusterView view) {
        return view.reachable().keySet().stream()
                .anyMatch(node ->
                        !before.reachable().containsKey(node) || (view.isJoining(node) && !before.isJoining(node)));
    }

    private WholeRings with(Ring ring) {
        List<Ring> all = new ArrayList<>(List.of(ring));
        for (Ring other : rings) {
            if (!other.equals(ring) && all.size() < RINGS_MAX) {
                all.add(other);
            }
        }
        return new WholeRings(all);
    }

    List<Long> hashes() {
        return rings.stream().map(ClusterView::hashOf).toList();
    }
}
