// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SelectionMicroTest {

    @Test
    void nearestHostIsFirstAndNodesArePicked() {
        SelectionMicro selection = new SelectionMicro();
        assertThat(selection.orderHosts())
                .hasSize(20)
                .first()
                .satisfies(host -> assertThat(host.locality().node()).hasValue("host-7"));
        assertThat(selection.pickNode()).isNotSameAs(selection.pickNode());
    }
}
