// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.Locality;
import java.time.Duration;

/**
 * Which of the hosts that work gets a call.
 *
 * @param choice by what one of them is chosen
 * @param here where the caller runs; {@link Locality#UNKNOWN} treats all hosts as equally near
 * @param spillOver whether calls go to hosts farther away where the near ones have no room; without, the nearest take all
 * @param slowStart how long a host that is new, or comes back, takes to get its full share; 0 to 1 h
 * @param keepWhenEmpty how long the hosts known are kept where the registry names none any more; 0 to 1 h
 */
public record SpreadConfig(
        Choice choice, Locality here, boolean spillOver, Duration slowStart, Duration keepWhenEmpty) {

    /** By what one of the hosts that may be called is chosen. */
    public enum Choice {
        /** The better of two of the nearest that have room. */
        BALANCED,
        /** By chance alone, wherever they are: what others are compared with. */
        RANDOM
    }

    public SpreadConfig {
        Limits.check("spread.slowStart", slowStart, Duration.ZERO, Limits.TIME_MAX);
        Limits.check("spread.keepWhenEmpty", keepWhenEmpty, Duration.ZERO, Limits.TIME_MAX);
    }

    /** Nowhere in particular; a slow start of 10 s; hosts kept for 30 s, as long as a lease lasts by default. */
    public static SpreadConfig defaults() {
        return new SpreadConfig(
                Choice.BALANCED, Locality.UNKNOWN, true, Duration.ofSeconds(10), Duration.ofSeconds(30));
    }

    public SpreadConfig chosenBy(Choice newChoice) {
        return new SpreadConfig(newChoice, here, spillOver, slowStart, keepWhenEmpty);
    }

    public SpreadConfig near(Locality newHere) {
        return new SpreadConfig(choice, newHere, spillOver, slowStart, keepWhenEmpty);
    }

    public SpreadConfig withSpillOver(boolean newSpillOver) {
        return new SpreadConfig(choice, here, newSpillOver, slowStart, keepWhenEmpty);
    }

    public SpreadConfig withSlowStart(Duration newDuration) {
        return new SpreadConfig(choice, here, spillOver, newDuration, keepWhenEmpty);
    }

    public SpreadConfig withKeepWhenEmpty(Duration newDuration) {
        return new SpreadConfig(choice, here, spillOver, slowStart, newDuration);
    }
}
