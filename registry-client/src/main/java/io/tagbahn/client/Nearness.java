// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Instance;
import io.tagbahn.model.Locality;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * An order of instances by their nearness to one place: the same node first, then the same zone, the same region, and the
 * rest.
 *
 * <p>Equally near instances come in a new random order each time, so that callers that take the first spread their load.
 */
public final class Nearness {

    private final Locality here;
    private final RandomGenerator random;

    Nearness(Locality here, RandomGenerator random) {
        this.here = here;
        this.random = random;
    }

    /** The same instances, nearest first. */
    public List<Instance> order(List<Instance> instances) {
        List<Instance> ordered = new ArrayList<>(instances);
        for (int i = ordered.size() - 1; i > 0; i--) {
            Collections.swap(ordered, i, random.nextInt(i + 1));
        }
        // A stable sort: what the shuffle has mixed stays mixed among equals.
        ordered.sort(Comparator.comparingInt(instance -> here.distanceTo(instance.locality())));
        return List.copyOf(ordered);
    }
}
