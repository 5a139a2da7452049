// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RegistryClientConfigTest {

    @Test
    void defaultsAreAsDocumented() {
        assertThat(RegistryClientConfig.defaults())
                .isEqualTo(new RegistryClientConfig(
                        List.of(HostPort.parse("127.0.0.1:21300")),
                        Optional.empty(),
                        Optional.empty(),
                        new CallConfig(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(10),
                                3,
                                Duration.ofMillis(50),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(30),
                                0.2,
                                10),
                        new LeaseConfig(Duration.ofSeconds(30), 0.8, Duration.ofSeconds(2), 10_000, 10_000),
                        new ConnectionConfig(
                                Duration.ofSeconds(1),
                                Duration.ofMillis(50),
                                Duration.ofSeconds(1),
                                1_024,
                                16_384_000,
                                false),
                        new InferenceConfig(
                                Duration.ZERO, 1_000_000, 10_000, Duration.ofSeconds(5), Duration.ofSeconds(30)),
                        new NodesConfig(Locality.UNKNOWN, true, Duration.ofSeconds(30), 16),
                        new KeptConfig(
                                Duration.ZERO,
                                Duration.ofMinutes(10),
                                Duration.ofSeconds(30),
                                1_000,
                                64 << 20,
                                Optional.empty())));
    }

    @Test
    void registriesMayStandInOneTextOrInSeveral() {
        assertThat(RegistryClientConfig.parseRegistries("a:1, b:2", "[::1]:3"))
                .containsExactly(HostPort.parse("a:1"), HostPort.parse("b:2"), HostPort.parse("[::1]:3"));
        assertThatThrownBy(() -> RegistryClientConfig.parseRegistries("a:1,,b:2"))
                .isInstanceOf(InvalidArgument.class);
        assertThatThrownBy(() -> RegistryClientConfig.parseRegistries("a")).isInstanceOf(InvalidArgument.class);
    }

    @Test
    void addressGivenTwiceIsAskedOnce() {
        assertThat(RegistryClientConfig.defaults().withRegistries("a:1,A:1").registries())
                .hasSize(1);
    }

    @Test
    void valuesOutOfRangeAreRefusedWithKeyValueAndRange() {
        refused("call.readTimeout", () -> CallConfig.defaults().withReadTimeout(Duration.ZERO));
        refused("call.writeTimeout", () -> CallConfig.defaults().withWriteTimeout(Duration.ofHours(1)));
        refused(
                "call.attemptsMax 0 is not within 1..16",
                () -> CallConfig.defaults().withAttemptsMax(0));
        refused("lease.duration", () -> LeaseConfig.defaults().withDuration(Duration.ofMillis(999)));
        refused("lease.duration", () -> LeaseConfig.defaults().withDuration(Duration.ofDays(25)));
        refused(
                "lease.reregisterSpread NaN",
                () -> new LeaseConfig(Duration.ofSeconds(30), Double.NaN, Duration.ZERO, 1, 1));
        refused("lease.closeTimeout PT-1S", () -> LeaseConfig.defaults().withCloseTimeout(Duration.ofSeconds(-1)));
        refused("lease.registrationsMax", () -> LeaseConfig.defaults().withRegistrationsMax(0));
        refused("lease.tagsPerCallMax", () -> LeaseConfig.defaults().withTagsPerCallMax(0));
        refused(
                "connection.reconnectDelayMax",
                () -> ConnectionConfig.defaults().withReconnectDelay(Duration.ofSeconds(2), Duration.ofSeconds(1)));
        refused(
                "connection.frameBytesMax 2147483647",
                () -> new ConnectionConfig(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        1,
                        Integer.MAX_VALUE,
                        false));
        refused("inference.tagsMaxAge", () -> InferenceConfig.defaults().withTagsMaxAge(Duration.ofDays(2)));
        refused("inference.entriesMax", () -> InferenceConfig.defaults().withEntriesMax(0));
        refused("registries", () -> RegistryClientConfig.defaults().withRegistries(List.of()));
        refused(
                "registries",
                () -> RegistryClientConfig.defaults()
                        .withRegistries(java.util.stream.IntStream.range(1, 66)
                                .mapToObj(i -> HostPort.parse("a:" + i))
                                .toList()));
        assertThatThrownBy(() -> RegistryClientConfig.defaults().withCaller("")).isInstanceOf(InvalidArgument.class);
    }

    private static void refused(String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("..");
    }
}
