// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import java.time.Duration;

/** Some seconds of load. */
sealed interface Stage {

    /** Whether it goes to the echo instead of the nodes. */
    boolean onEcho();

    Duration length();

    /** Calls at a rate, of all processes together. */
    record AtRate(boolean onEcho, Duration length, double perSecond) implements Stage {}

    /** So many calls in flight on each connection. */
    record InFlight(boolean onEcho, Duration length, int perConnection) implements Stage {}

    /** As one process is told: a line of text. */
    default String line(int processes) {
        String where = (onEcho() ? "echo " : "node ") + length().toMillis();
        if (this instanceof AtRate open) {
            return where + " rate " + open.perSecond() / processes;
        }
        return where + " inFlight " + ((InFlight) this).perConnection();
    }

    static Stage of(String line) {
        String[] words = line.split(" ", -1);
        boolean onEcho = words[0].equals("echo");
        Duration length = Duration.ofMillis(Long.parseLong(words[1]));
        return switch (words[2]) {
            case "rate" -> new AtRate(onEcho, length, Double.parseDouble(words[3]));
            case "inFlight" -> new InFlight(onEcho, length, Integer.parseInt(words[3]));
            default -> throw new IllegalArgumentException("line '" + line + "'");
        };
    }
}
