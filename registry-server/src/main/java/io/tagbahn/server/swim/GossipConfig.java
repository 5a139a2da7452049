// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;

/**
 * How news travels.
 *
 * @param interval time between rounds; a round without news sends nothing
 * @param fanout members told in a round
 * @param retransmit each claim is sent {@code retransmit · ⌈log10(n + 1)⌉} times by each member that learns it
 * @param packetBytesMax largest datagram, before encryption
 * @param claimsMax most claims waiting; the one sent most often goes first
 * @param toDead how long the dead are still told, so that one that lives can refute
 */
public record GossipConfig(
        Duration interval, int fanout, int retransmit, int packetBytesMax, int claimsMax, Duration toDead) {

    public static final GossipConfig DEFAULTS =
            new GossipConfig(Duration.ofMillis(100), 3, 4, 1_400, 4_096, Duration.ofSeconds(30));

    /** @throws io.tagbahn.model.InvalidArgument where a value is outside its range */
    public GossipConfig {
        Checks.range("gossip.interval", interval, Duration.ofMillis(10), Duration.ofMinutes(1));
        Checks.range("gossip.fanout", fanout, 1, 64);
        Checks.range("gossip.retransmit", retransmit, 1, 64);
        // Header and largest claim have to fit.
        Checks.range("gossip.packetBytesMax", packetBytesMax, 1_350, 60_000);
        Checks.range("gossip.claimsMax", claimsMax, 16, 1_000_000);
        Checks.range("gossip.toDead", toDead, Duration.ZERO, Duration.ofHours(1));
    }

    /** How often each member sends a claim among {@code members} live ones. */
    int transmitsMax(int members) {
        return retransmit * (int) StrictMath.ceil(StrictMath.log10(members + 1.0));
    }
}
