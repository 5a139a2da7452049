// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;

/**
 * How a member asks another whether it is alive.
 *
 * @param interval time from one probe to the next, and the time within which a probe has to succeed; both are
 *     multiplied by (local health + 1)
 * @param timeout how long the direct probe waits before others are asked to probe; multiplied likewise
 * @param indirect number of members asked to probe in our stead
 * @param healthMax highest local health score; 0 is perfect health
 * @param concurrentMax most probes under way at once, those out of turn included
 * @param lateAfter how late a timer may fire before we conclude that this process had been stopped
 */
public record ProbeConfig(
        Duration interval, Duration timeout, int indirect, int healthMax, int concurrentMax, Duration lateAfter) {

    public static final ProbeConfig DEFAULTS =
            new ProbeConfig(Duration.ofMillis(300), Duration.ofMillis(150), 3, 8, 16, Duration.ofMillis(100));

    /** @throws io.tagbahn.model.InvalidArgument where a value is outside its range */
    public ProbeConfig {
        Checks.range("probe.interval", interval, Duration.ofMillis(10), Duration.ofMinutes(1));
        Checks.range("probe.timeout", timeout, Duration.ofMillis(1), interval);
        Checks.range("probe.indirect", indirect, 0, 16);
        Checks.range("probe.healthMax", healthMax, 0, 100);
        Checks.range("probe.concurrentMax", concurrentMax, 1, 1_000);
        Checks.range("probe.lateAfter", lateAfter, Duration.ofMillis(1), Duration.ofMinutes(1));
    }
}
