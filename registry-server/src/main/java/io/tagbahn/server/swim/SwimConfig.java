// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.time.Duration;

/**
 * The settings of membership. Members of one cluster may differ in them, as they do during a rolling change.
 *
 * @param cluster name of the cluster; whoever names another is not listened to
 * @param membersMax most live members; further ones are not taken up
 */
public record SwimConfig(
        String cluster,
        ProbeConfig probe,
        SuspicionConfig suspicion,
        GossipConfig gossip,
        ExchangeConfig exchange,
        JoinConfig join,
        HealConfig heal,
        int membersMax) {

    /** @throws io.tagbahn.model.InvalidArgument where a value is outside its range */
    public SwimConfig {
        Checks.text("cluster", cluster, 1, CodecLimits.CLUSTER_BYTES_MAX);
        Checks.range("membersMax", membersMax, 2, CodecLimits.LIVE_MAX);
    }

    /** The same, with other largest datagrams. */
    public SwimConfig withPacketBytesMax(int bytes) {
        return new SwimConfig(
                cluster,
                probe,
                suspicion,
                new GossipConfig(
                        gossip.interval(),
                        gossip.fanout(),
                        gossip.retransmit(),
                        bytes,
                        gossip.claimsMax(),
                        gossip.toDead()),
                exchange,
                join,
                heal,
                membersMax);
    }

    /** The default settings for the cluster of this name. */
    public static SwimConfig defaults(String cluster) {
        return new SwimConfig(
                cluster,
                ProbeConfig.DEFAULTS,
                SuspicionConfig.DEFAULTS,
                GossipConfig.DEFAULTS,
                ExchangeConfig.DEFAULTS,
                JoinConfig.DEFAULTS,
                HealConfig.DEFAULTS,
                4_096);
    }

    /** With another time for which the dead and the departed stay in the list of members. */
    public SwimConfig withForget(Duration shown) {
        return new SwimConfig(cluster, probe, suspicion, gossip, exchange, join, heal.withShown(shown), membersMax);
    }
}
