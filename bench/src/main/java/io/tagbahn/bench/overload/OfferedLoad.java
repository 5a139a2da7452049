// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import java.time.Duration;

/**
 * What a process that makes load is told to do next.
 *
 * @param perSecond calls that are due; 0 where as many as possible are made, {@code inFlight} of each connection at a time
 * @param after for how long another rate follows at once
 */
record OfferedLoad(
        Duration length, double perSecond, int inFlight, Duration after, double afterPerSecond, Manners manners) {

    static OfferedLoad closed(Duration length, int inFlight) {
        return new OfferedLoad(length, 0, inFlight, Duration.ZERO, 0, Manners.QUIET);
    }

    static OfferedLoad open(Duration length, double perSecond, Duration after, double afterPerSecond, Manners manners) {
        return new OfferedLoad(length, perSecond, 0, after, afterPerSecond, manners);
    }

    boolean isClosed() {
        return inFlight > 0;
    }

    String line() {
        return length.toMillis() + " " + perSecond + " " + inFlight + " " + after.toMillis() + " " + afterPerSecond
                + " " + manners;
    }

    static OfferedLoad of(String line) {
        String[] words = line.split(" ", -1);
        return new OfferedLoad(
                Duration.ofMillis(Long.parseLong(words[0])),
                Double.parseDouble(words[1]),
                Integer.parseInt(words[2]),
                Duration.ofMillis(Long.parseLong(words[3])),
                Double.parseDouble(words[4]),
                Manners.valueOf(words[5]));
    }
}
