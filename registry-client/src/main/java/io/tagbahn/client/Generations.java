// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.InstantSource;

/**
 * The numbers that order a client's registrations: milliseconds of its clock, or one above the last where the clock has
 * not moved on or went back.
 */
final class Generations {

    private final InstantSource clock;
    private long last;

    Generations(InstantSource clock) {
        this.clock = clock;
    }

    synchronized long next() {
        last = Math.max(last + 1, clock.millis());
        return last;
    }

    /** Makes the next number higher than one that the registry knows. */
    synchronized void raise(long known) {
        last = Math.max(last, known);
    }
}
