// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;

/**
 * How halves of a parted cluster find each other again, and when the dead are forgotten.
 *
 * @param interval time between rounds in which the dead are asked whether they live
 * @param probes dead members asked in a round, in turn
 * @param seedInterval time between looks at the seeds; a member that is alone looks six times as often
 * @param shown how long the dead and the departed stay in the list of members
 * @param remembered how long they are remembered, so that old gossip can't revive them and the dead are asked again
 * @param rememberedMax most of them remembered; the oldest is forgotten first
 */
public record HealConfig(
        Duration interval, int probes, Duration seedInterval, Duration shown, Duration remembered, int rememberedMax) {

    public static final HealConfig DEFAULTS = new HealConfig(
            Duration.ofSeconds(3), 4, Duration.ofSeconds(30), Duration.ofMinutes(10), Duration.ofHours(24), 4_096);

    /** @throws io.tagbahn.model.InvalidArgument where a value is outside its range */
    public HealConfig {
        Checks.range("heal.interval", interval, Duration.ofMillis(100), Duration.ofHours(1));
        Checks.range("heal.probes", probes, 0, 64);
        Checks.range("heal.seedInterval", seedInterval, Duration.ofMillis(600), Duration.ofHours(24));
        Checks.range("heal.shown", shown, Duration.ZERO, Duration.ofDays(7));
        Checks.range("heal.remembered", remembered, shown, Duration.ofDays(30));
        Checks.range("heal.rememberedMax", rememberedMax, 0, 1_000_000);
    }

    /** With another time in the list; what is listed is remembered as well. */
    HealConfig withShown(Duration newShown) {
        return new HealConfig(
                interval,
                probes,
                seedInterval,
                newShown,
                remembered.compareTo(newShown) < 0 ? newShown : remembered,
                rememberedMax);
    }
}
