// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.InvalidArgument;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SwimConfigTest {

    @Test
    void defaultsAreThoseOfTheDecision() {
        SwimConfig config = SwimConfig.defaults("c");
        assertThat(config.cluster()).isEqualTo("c");
        assertThat(config.membersMax()).isEqualTo(4_096);
        assertThat(config.probe())
                .isEqualTo(new ProbeConfig(
                        Duration.ofMillis(300), Duration.ofMillis(150), 3, 8, 16, Duration.ofMillis(100)));
        assertThat(config.suspicion()).isEqualTo(new SuspicionConfig(Duration.ofMillis(500), 4, 6, 2, 1, 2));
        assertThat(config.gossip())
                .isEqualTo(new GossipConfig(Duration.ofMillis(100), 3, 4, 1_400, 4_096, Duration.ofSeconds(30)));
        assertThat(config.exchange())
                .isEqualTo(new ExchangeConfig(Duration.ofSeconds(15), 2, 32, Duration.ofSeconds(3)));
        assertThat(config.join())
                .isEqualTo(new JoinConfig(Duration.ofMillis(300), Duration.ofSeconds(3), Duration.ofSeconds(30)));
        assertThat(config.heal())
                .isEqualTo(new HealConfig(
                        Duration.ofSeconds(3),
                        4,
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(10),
                        Duration.ofHours(24),
                        4_096));
    }

    @Test
    void suspicionGrowsWithTheLogarithmOfTheCluster() {
        SuspicionConfig config = SuspicionConfig.DEFAULTS;
        assertThat(config.minNanos(5, Evidence.SILENT)).isEqualTo(2_000_000_000L);
        assertThat(config.minNanos(1_000, Evidence.SILENT)).isEqualTo(6_000_000_000L);
        assertThat(config.maxNanos(5, Evidence.SILENT)).isEqualTo(12_000_000_000L);
        assertThat(config.minNanos(5, Evidence.REFUSED)).isEqualTo(500_000_000L);
        assertThat(config.maxNanos(5, Evidence.REFUSED)).isEqualTo(1_000_000_000L);
        assertThat(config.wanted(2)).isZero();
        assertThat(config.wanted(3)).isEqualTo(1);
        assertThat(config.wanted(50)).isEqualTo(2);
    }

    @Test
    void claimsAreToldMoreOftenInLargerClusters() {
        GossipConfig config = GossipConfig.DEFAULTS;
        assertThat(config.transmitsMax(1)).isEqualTo(4);
        assertThat(config.transmitsMax(9)).isEqualTo(4);
        assertThat(config.transmitsMax(10)).isEqualTo(8);
        assertThat(config.transmitsMax(1_000)).isEqualTo(16);
    }

    @Test
    void aValueOutOfRangeIsRefusedWithItsNameAndRange() {
        assertThatThrownBy(() -> new SuspicionConfig(Duration.ofMillis(500), 0, 6, 2, 1, 2))
                .isInstanceOf(InvalidArgument.class)
                .hasMessage("suspicion.minMultiplier: 0 is not within 1..100");
        assertThatThrownBy(() -> new ProbeConfig(
                        Duration.ofMillis(300), Duration.ofMillis(400), 3, 8, 16, Duration.ofMillis(100)))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("probe.timeout: PT0.4S");
        assertThatThrownBy(() -> SwimConfig.defaults(""))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("cluster");
        assertThatThrownBy(() -> new GossipConfig(Duration.ofMillis(100), 3, 4, 1_000, 16, Duration.ZERO))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("gossip.packetBytesMax");
    }
}
