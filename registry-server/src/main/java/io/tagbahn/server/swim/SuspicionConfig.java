// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;

/**
 * How long a suspect may take to refute.
 *
 * @param unit what the multipliers multiply
 * @param minMultiplier shortest time: {@code minMultiplier · max(1, log10 n) · unit}, n being the members alive
 * @param maxMultiplier longest time, held when nobody confirms: {@code maxMultiplier ·} the shortest
 * @param confirmations independent confirmations that bring the longest time down to the shortest
 * @param refusedMultiplier takes the place of {@code minMultiplier} where the suspect's host refused a stream: that
 *     shows an ended process, and a slow or stopped one never does it
 * @param refusedMaxMultiplier takes the place of {@code maxMultiplier} there
 */
public record SuspicionConfig(
        Duration unit,
        int minMultiplier,
        int maxMultiplier,
        int confirmations,
        int refusedMultiplier,
        int refusedMaxMultiplier) {

    public static final SuspicionConfig DEFAULTS = new SuspicionConfig(Duration.ofMillis(500), 4, 6, 2, 1, 2);

    /** @throws io.tagbahn.model.InvalidArgument where a value is outside its range */
    public SuspicionConfig {
        Checks.range("suspicion.unit", unit, Duration.ofMillis(10), Duration.ofMinutes(1));
        Checks.range("suspicion.minMultiplier", minMultiplier, 1, 100);
        Checks.range("suspicion.maxMultiplier", maxMultiplier, 1, 100);
        Checks.range("suspicion.confirmations", confirmations, 0, 16);
        Checks.range("suspicion.refusedMultiplier", refusedMultiplier, 1, minMultiplier);
        Checks.range("suspicion.refusedMaxMultiplier", refusedMaxMultiplier, 1, maxMultiplier);
    }

    /** The shortest time among {@code members} live ones, in nanoseconds. */
    long minNanos(int members, Evidence evidence) {
        double scale = Math.max(1.0, StrictMath.log10(Math.max(1, members)));
        int multiplier = switch (evidence) {
            case SILENT -> minMultiplier;
            case REFUSED -> refusedMultiplier;
        };
        return (long) (multiplier * scale * unit.toNanos());
    }

    /** The longest time among {@code members} live ones, in nanoseconds. */
    long maxNanos(int members, Evidence evidence) {
        int multiplier = switch (evidence) {
            case SILENT -> maxMultiplier;
            case REFUSED -> refusedMaxMultiplier;
        };
        return multiplier * minNanos(members, evidence);
    }

    /** Confirmations to wait for: no more than there are members other than accuser and suspect. */
    int wanted(int members) {
        return Math.max(0, Math.min(confirmations, members - 2));
    }
}
