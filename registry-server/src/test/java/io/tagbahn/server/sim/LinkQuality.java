// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import java.time.Duration;

/** How well datagrams travel; delays differ from one to the next, so they overtake each other. */
public record LinkQuality(double loss, double duplicates, Duration delayMin, Duration delayMax) {

    /** A network within one building. */
    public static final LinkQuality GOOD = new LinkQuality(0, 0, Duration.ofNanos(200_000), Duration.ofMillis(2));

    public LinkQuality withLoss(double share) {
        return new LinkQuality(share, duplicates, delayMin, delayMax);
    }

    public LinkQuality withDuplicates(double share) {
        return new LinkQuality(loss, share, delayMin, delayMax);
    }

    public LinkQuality withDelay(Duration min, Duration max) {
        return new LinkQuality(loss, duplicates, min, max);
    }
}
