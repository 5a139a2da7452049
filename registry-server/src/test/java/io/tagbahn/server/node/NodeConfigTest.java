// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.server.service.ServiceLimits;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.store.StoreLimits;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeConfigTest {

    private static final List<BigInteger> POWERS = List.of(
            BigInteger.ONE.shiftLeft(31).subtract(BigInteger.ONE),
            BigInteger.ONE.shiftLeft(31),
            BigInteger.ONE.shiftLeft(32),
            BigInteger.ONE.shiftLeft(63));

    @Test
    void defaults() {
        NodeConfig config = NodeConfig.defaults();

        assertThat(config.id()).isEmpty();
        assertThat(config.listen()).hasToString("127.0.0.1:21300");
        assertThat(config.advertise()).isEmpty();
        assertThat(config.dataDirectory()).isEqualTo(Path.of("tagbahn-data"));
        assertThat(config.locality()).isEqualTo(Locality.UNKNOWN);
        assertThat(config.cluster().replicas()).isEqualTo(3);
        assertThat(config.drain()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.lease())
                .isEqualTo(LeaseTerms.defaults())
                .isEqualTo(new LeaseTerms(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(1),
                        Duration.ofHours(24),
                        Duration.ofMinutes(10),
                        Duration.ofDays(7)));
        assertThat(config.limits().store())
                .isEqualTo(StoreLimits.defaults())
                .isEqualTo(new StoreLimits(1_000_000, 5_000_000, 100_000, 12_288_000, 100_000, 10_000));
        assertThat(config.limits().service()).isEqualTo(new ServiceLimits(10_000, 10_000, 100_000, 16_384_000 - 1_024));
        assertThat(config.limits().writesQueuedMax()).isEqualTo(10_000);
        assertThat(config.rpc()).isEqualTo(new RpcConfig(0, RpcLimits.defaults()));
        assertThat(config.rpc().loops(4)).isEqualTo(4);
        assertThat(config.rpc().loops(64)).isEqualTo(16);
    }

    @Test
    void nodeAndLeasesAreMapped() {
        NodeConfig config = NodeConfig.parse(Map.ofEntries(
                Map.entry("node.id", "n1"),
                Map.entry("node.listen", "[::]:0"),
                Map.entry("node.advertise", "host.example:7"),
                Map.entry("node.data-dir", "/var/lib/x"),
                Map.entry("node.zone", "z"),
                Map.entry("node.region", "r"),
                Map.entry("cluster.replicas", "2"),
                Map.entry("node.drain", "250ms"),
                Map.entry("lease.default", "2m"),
                Map.entry("lease.min", "10s"),
                Map.entry("lease.max", "1h"),
                Map.entry("lease.tombstone", "90 s"),
                Map.entry("lease.operator-status", "1d")));

        assertThat(config.id()).contains("n1");
        assertThat(config.listen()).hasToString("[::]:0");
        assertThat(config.listen().isWildcard()).isTrue();
        assertThat(config.advertise()).contains(HostPort.parse("host.example:7"));
        assertThat(config.dataDirectory()).isEqualTo(Path.of("/var/lib/x"));
        assertThat(config.locality()).isEqualTo(new Locality(Optional.empty(), Optional.of("z"), Optional.of("r")));
        assertThat(config.cluster().replicas()).isEqualTo(2);
        assertThat(config.drain()).isEqualTo(Duration.ofMillis(250));
        assertThat(config.lease())
                .isEqualTo(new LeaseTerms(
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(10),
                        Duration.ofHours(1),
                        Duration.ofSeconds(90),
                        Duration.ofDays(1)));
    }

    @Test
    void limitsAreMapped() {
        LimitsConfig limits = NodeConfig.parse(Map.of(
                        "limits.instances", "1",
                        "limits.entries", "2",
                        "limits.tags-per-registration", "3",
                        "limits.tombstones", "4",
                        "limits.operator-statuses", "5",
                        "limits.tags-per-query", "6",
                        "limits.leases-per-heartbeat", "7",
                        "limits.names-per-page", "8",
                        "limits.queued-writes", "9",
                        "rpc.frame-bytes", "1MiB"))
                .limits();

        assertThat(limits)
                .isEqualTo(new LimitsConfig(
                        new StoreLimits(1, 2, 3, 3 << 18, 4, 5), new ServiceLimits(6, 7, 8, (1 << 20) - 1_024), 9));
    }

    @Test
    void rpcIsMapped() {
        RpcConfig rpc = NodeConfig.parse(Map.ofEntries(
                        Map.entry("rpc.threads", "3"),
                        Map.entry("rpc.frame-bytes", "16MB"),
                        Map.entry("rpc.string-bytes", "1 MiB"),
                        Map.entry("rpc.container-entries", "2000"),
                        Map.entry("rpc.depth", "9"),
                        Map.entry("rpc.connections", "10"),
                        Map.entry("rpc.calls-per-connection", "11"),
                        Map.entry("rpc.calls", "12"),
                        Map.entry("rpc.inbound-bytes", "1GiB"),
                        Map.entry("rpc.outbound-bytes", "64kB"),
                        Map.entry("rpc.first-frame-timeout", "1s"),
                        Map.entry("rpc.stalled-frame-timeout", "2s"),
                        Map.entry("rpc.idle-timeout", "3s")))
                .rpc();

        assertThat(rpc)
                .isEqualTo(new RpcConfig(
                        3,
                        new RpcLimits(
                                16_000_000,
                                1 << 20,
                                2_000,
                                9,
                                10,
                                11,
                                12,
                                1L << 30,
                                64_000,
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3))));
    }

    static Stream<Setting> numericSettings() {
        return Settings.ALL.stream().filter(setting -> setting.kind().isNumeric());
    }

    @ParameterizedTest
    @MethodSource("numericSettings")
    void numbersPastTwoToThe31AreHonouredOrRefusedWithTheirRange(Setting setting) {
        for (BigInteger power : POWERS) {
            for (String unit : units(setting)) {
                String value = power + unit;
                BigInteger exact = power.multiply(BigInteger.valueOf(factor(unit)));
                boolean legal = exact.compareTo(BigInteger.valueOf(setting.min())) >= 0
                        && exact.compareTo(BigInteger.valueOf(setting.max())) <= 0;
                if (legal) {
                    assertThat(setting.number(value)).isEqualTo(exact.longValueExact());
                } else {
                    assertThatThrownBy(() -> NodeConfig.parse(Map.of(setting.key(), value)))
                            .isInstanceOf(InvalidConfig.class)
                            .hasMessageContaining(setting.key())
                            .hasMessageContaining(value)
                            .hasMessageContaining(setting.legal());
                }
            }
        }
    }

    private static List<String> units(Setting setting) {
        return switch (setting.kind()) {
            case DURATION -> List.of("ms", "s", "d");
            case BYTES -> List.of("", "MiB");
            case COUNT, TEXT, ADDRESS, PATH -> List.of("");
        };
    }

    private static long factor(String unit) {
        return switch (unit) {
            case "s" -> 1_000;
            case "d" -> 86_400_000;
            case "MiB" -> 1 << 20;
            default -> 1;
        };
    }

    @ParameterizedTest
    @MethodSource("numericSettings")
    void bothEndsOfTheRangeAreLegalAndBothNeighboursAreNot(Setting setting) {
        String unit = setting.kind() == Setting.Kind.DURATION ? "ms" : "";

        assertThat(setting.number(setting.min() + unit)).isEqualTo(setting.min());
        assertThat(setting.number(setting.max() + unit)).isEqualTo(setting.max());
        for (String value : List.of(setting.min() - 1 + unit, setting.max() + 1 + unit, "", "-1", "1e3", "x", "1.5s")) {
            assertThatThrownBy(() -> setting.number(value)).as(value).isInstanceOf(InvalidConfig.class);
        }
    }

    @Test
    void portsPastTheirRangeAreRefused() {
        for (String key : List.of("node.listen", "node.advertise")) {
            for (BigInteger power : POWERS) {
                assertThatThrownBy(() -> NodeConfig.parse(Map.of(key, "127.0.0.1:" + power)))
                        .isInstanceOf(InvalidConfig.class)
                        .hasMessageContaining(key)
                        .hasMessageContaining("65535");
            }
        }
        assertThatThrownBy(() -> NodeConfig.parse(Map.of("node.advertise", "127.0.0.1:0")))
                .isInstanceOf(InvalidConfig.class);
    }

    @Test
    void unknownKeyIsRefusedWithTheNearest() {
        assertThatThrownBy(() -> NodeConfig.parse(Map.of("lease.defalt", "1s")))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("lease.default");
    }

    @Test
    void settingsThatContradictEachOtherAreRefused() {
        assertThatThrownBy(() -> NodeConfig.parse(Map.of("lease.min", "2h", "lease.max", "1h")))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("lease.min = 2h");
        assertThatThrownBy(() -> NodeConfig.parse(Map.of("lease.min", "1m")))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("lease.default = 30s");
        assertThatThrownBy(() -> NodeConfig.parse(Map.of("node.id", "no blanks")))
                .isInstanceOf(InvalidConfig.class);
    }

    @Test
    void whatIsGivenComesBeforeTheFile(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("node.properties"), "# a node\nlease.default=1m\nnode.zone=\u00E9\n");

        NodeConfig config = NodeConfig.load(file, Map.of("lease.default", "2m"));

        assertThat(config.lease().leaseDefault()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.locality().zone()).contains("\u00E9");
    }

    @Test
    void documentedTableIsTheOneInForce() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "configuration.md")))
                .as("docs/configuration.md holds this table")
                .contains(Settings.table());
    }
}
