// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;

/**
 * How registrations are made and kept.
 *
 * @param duration lease that is asked for; 1 s to 24 h (the registry may clamp it further)
 * @param reregisterSpread registrations that the registry has lost are made again after a random share, up to this one,
 *     of the heartbeat interval, so that not all clients come at once; 0..1
 * @param closeTimeout how long closing waits until the registry knows; 0 to 10 min
 * @param registrationsMax registrations that one client keeps at a time; 1..100000
 * @param tagsPerCallMax tags in one call; a longer list is sent in parts; 1..1000000
 */
public record LeaseConfig(
        Duration duration, double reregisterSpread, Duration closeTimeout, int registrationsMax, int tagsPerCallMax) {

    public LeaseConfig {
        Ranges.check("lease.duration", duration, Duration.ofSeconds(1), Duration.ofHours(24));
        Ranges.check("lease.reregisterSpread", reregisterSpread, 0.0, 1.0);
        Ranges.check("lease.closeTimeout", closeTimeout, Duration.ZERO, Duration.ofMinutes(10));
        Ranges.check("lease.registrationsMax", registrationsMax, 1, 100_000);
        Ranges.check("lease.tagsPerCallMax", tagsPerCallMax, 1, 1_000_000);
    }

    /** 30 s, spread over four fifths of the heartbeat interval, 2 s for closing, 10000 registrations and tags a call. */
    public static LeaseConfig defaults() {
        return new LeaseConfig(Duration.ofSeconds(30), 0.8, Duration.ofSeconds(2), 10_000, 10_000);
    }

    public LeaseConfig withDuration(Duration newDuration) {
        return new LeaseConfig(newDuration, reregisterSpread, closeTimeout, registrationsMax, tagsPerCallMax);
    }

    public LeaseConfig withCloseTimeout(Duration newTimeout) {
        return new LeaseConfig(duration, reregisterSpread, newTimeout, registrationsMax, tagsPerCallMax);
    }

    public LeaseConfig withRegistrationsMax(int newMax) {
        return new LeaseConfig(duration, reregisterSpread, closeTimeout, newMax, tagsPerCallMax);
    }

    public LeaseConfig withTagsPerCallMax(int newMax) {
        return new LeaseConfig(duration, reregisterSpread, closeTimeout, registrationsMax, newMax);
    }
}
