// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.ring.Placement;
import java.util.ArrayList;
import java.util.List;

/**
 * Which entries this node holds in full: those that it has been told of without a break since it was filled with them.
 *
 * @param fillings for each, what it was for and all that came after; each step is placements of which one is enough
 */
record Coverage(String self, List<List<List<Placement>>> fillings) {

    private static final int FILLINGS_MAX = 8;
    private static final int STEPS_MAX = 64;

    Coverage {
        fillings = List.copyOf(fillings);
    }

    static Coverage nothing(String self) {
        return new Coverage(self, List.of());
    }

    static Coverage filled(String self, List<Placement> step) {
        return new Coverage(self, List.of(List.of(step)));
    }

    /** The same after owners have changed. */
    Coverage and(List<Placement> step) {
        List<List<List<Placement>>> after = new ArrayList<>();
        for (List<List<Placement>> filling : fillings) {
            if (filling.size() < STEPS_MAX) {
                List<List<Placement>> longer = new ArrayList<>(filling);
                longer.add(step);
                after.add(List.copyOf(longer));
            }
        }
        return new Coverage(self, after);
    }

    /** The same after another filling. */
    Coverage or(List<Placement> step) {
        List<List<List<Placement>>> more = new ArrayList<>(fillings);
        if (more.size() == FILLINGS_MAX) {
            more.remove(0);
        }
        more.add(List.of(step));
        return new Coverage(self, more);
    }

    boolean covers(String entry) {
        for (List<List<Placement>> filling : fillings) {
            if (filling.stream().allMatch(step -> owns(step, entry))) {
                return true;
            }
        }
        return false;
    }

    private boolean owns(List<Placement> step, String entry) {
        for (Placement placement : step) {
            if (placement.owns(self, entry)) {
                return true;
            }
        }
        return false;
    }
}
