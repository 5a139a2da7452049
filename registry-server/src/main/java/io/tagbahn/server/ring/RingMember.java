// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import java.util.Optional;

/**
 * A node on the ring.
 *
 * @param id orders nodes whose points coincide
 * @param zone where it stands, if that is known; owners of one key are taken from different zones
 * @param weight its share in relation to others, 1..10,000; 100 is usual
 */
public record RingMember(String id, Optional<String> zone, int weight) {

    public static final int WEIGHT_USUAL = 100;
    public static final int WEIGHT_MAX = 10_000;

    public RingMember {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("empty id");
        }
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException("weight " + weight + " is not within 1.." + WEIGHT_MAX);
        }
    }
}
