// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.ring.Placement;
import java.util.ArrayList;
import java.util.List;

/**
 * Which entries this node holds in full: those that it has owned without a break since it was filled with them.
 *
 * @param fillings for each, the placement that it was for and all that came after
 */
record Coverage(String self, List<List<Placement>> fillings) {

    private static final int FILLINGS_MAX = 8;
    private static final int PLACEMENTS_MAX = 64;

    Coverage {
        fillings = List.copyOf(fillings);
    }

    static Coverage nothing(String self) {
        return new Coverage(self, List.of());
    }

    static Coverage filled(String self, Placement placement) {
        return new Coverage(self, List.of(List.of(placement)));
    }

    /** The same after owners have changed. */
    Coverage and(Placement placement) {
        List<List<Placement>> after = new ArrayList<>();
        for (List<Placement> filling : fillings) {
            if (filling.size() < PLACEMENTS_MAX) {
                List<Placement> longer = new ArrayList<>(filling);
                longer.add(placement);
                after.add(List.copyOf(longer));
            }
        }
        return new Coverage(self, after);
    }

    /** The same after another filling. */
    Coverage or(Placement placement) {
        List<List<Placement>> more = new ArrayList<>(fillings);
        if (more.size() == FILLINGS_MAX) {
            more.remove(0);
        }
        more.add(List.of(placement));
        return new Coverage(self, more);
    }

    boolean covers(String entry) {
        for (List<Placement> filling : fillings) {
            if (filling.stream().allMatch(placement -> placement.owns(self, entry))) {
                return true;
            }
        }
        return false;
    }
}
