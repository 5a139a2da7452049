// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.NotReady;
import java.time.Duration;
import java.util.Optional;

/** How far a long command has come and how long it will take, on standard error: one line that is written over. */
final class Progress {

    private static final int BAR_CHARS = 30;

    private final Environment environment;
    private final long startNanos;
    private final boolean overwriting;
    private String last = "";

    Progress(Environment environment) {
        this.environment = environment;
        this.startNanos = environment.nanos().getAsLong();
        this.overwriting = !environment.variable("TERM").orElse("dumb").equals("dumb");
    }

    /**
     * Tells it.
     *
     * @param share that is done; 0 to 1
     * @param now what is going on
     * @throws NotReady where the command is to stop
     */
    void at(double share, String now) {
        if (environment.stop().isRaised()) {
            throw new NotReady("stopped before the end", Optional.empty());
        }
        if (!overwriting && now.equals(last) && share < 1) {
            return; // a line for each step would bury what is worth reading
        }
        last = now;
        int full = (int) (share * BAR_CHARS);
        String line = "[" + "#".repeat(full) + ".".repeat(BAR_CHARS - full) + "] " + left(share) + "  " + now;
        if (!overwriting) {
            environment.err().println(line);
        } else {
            environment.err().print("\r" + line + " ".repeat(Math.max(0, 100 - line.length())));
            if (share >= 1) {
                environment.err().println();
            }
        }
        environment.err().flush();
    }

    private String left(double share) {
        if (share <= 0) {
            return "      ";
        }
        double spentNanos = environment.nanos().getAsLong() - startNanos;
        Duration left = Duration.ofNanos((long) (spentNanos * (1 - share) / share));
        return left.toMinutes() > 0
                ? "%d min %02d s left".formatted(left.toMinutes(), left.toSecondsPart())
                : "%d s left".formatted(left.toSeconds());
    }
}
