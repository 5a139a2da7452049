// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Members to be probed out of turn and addresses to exchange states with, waiting for their turn; both bounded. */
final class Wishes {

    private static final int PROBES_MAX = 64;

    private final int exchangesMax;
    private final Set<String> probes = new LinkedHashSet<>();
    private final Set<HostPort> exchanges = new LinkedHashSet<>();
    private List<MemberEntry> newcomers = new ArrayList<>();

    Wishes(int exchangesMax) {
        this.exchangesMax = exchangesMax;
    }

    /** Has a new member probed within the present round; no more of them wait than there are members. */
    void welcome(MemberEntry newcomer) {
        newcomers.add(newcomer);
    }

    List<MemberEntry> newcomers() {
        if (newcomers.isEmpty()) {
            return List.of();
        }
        List<MemberEntry> all = newcomers;
        newcomers = new ArrayList<>();
        return all;
    }

    void probe(String id) {
        if (probes.size() < PROBES_MAX) {
            probes.add(id);
        }
    }

    void exchange(HostPort address) {
        if (exchanges.size() < exchangesMax) {
            exchanges.add(address);
        }
    }

    boolean wantsProbe() {
        return !probes.isEmpty();
    }

    boolean wantsExchange() {
        return !exchanges.isEmpty();
    }

    Optional<String> nextProbe() {
        return first(probes);
    }

    Optional<HostPort> nextExchange() {
        return first(exchanges);
    }

    private static <T> Optional<T> first(Set<T> set) {
        Iterator<T> iterator = set.iterator();
        if (!iterator.hasNext()) {
            return Optional.empty();
        }
        T first = iterator.next();
        iterator.remove();
        return Optional.of(first);
    }
}
