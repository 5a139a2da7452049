// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DescriptorsTest {

    @Test
    void asManyConnectionsAsAreAllowedWhereThereIsRoom() {
        assertThat(new Descriptors(1_048_576, 100).connectionsMax(10_000)).isEqualTo(10_000);
        assertThat(new Descriptors(20_000, 100).connectionsMax(10_000)).isEqualTo(10_000);
    }

    @Test
    void aPartIsKeptForOtherNodes() {
        assertThat(new Descriptors(4_096, 96).connectionsMax(10_000)).isEqualTo(2_976);
        assertThat(new Descriptors(256, 80).connectionsMax(10_000)).isEqualTo(112);
        assertThat(new Descriptors(8_192, 92).connectionsMax(10_000)).isEqualTo(8_192 - 92 - 1_024);
    }

    @Test
    void someClientsAreServedHoweverLittleThereIs() {
        assertThat(new Descriptors(64, 60).connectionsMax(10_000)).isEqualTo(Descriptors.CONNECTIONS_MIN);
    }

    @Test
    void thisProcessHasSome() {
        Descriptors.ofThisProcess()
                .ifPresent(own -> assertThat(own.open()).isPositive().isLessThan(own.max()));
    }
}
