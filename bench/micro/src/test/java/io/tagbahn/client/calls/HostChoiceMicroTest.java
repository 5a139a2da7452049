// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HostChoiceMicroTest {

    @Test
    void hostOfTheCallersZoneIsChosenAndCalled() {
        HostChoiceMicro micro = new HostChoiceMicro();
        assertThat(micro.chooseHost())
                .isInstanceOfSatisfying(
                        HostChoice.Chosen.class,
                        chosen -> assertThat(chosen.host().distance()).isEqualTo(1));
        assertThat(micro.blockingCall()).isInstanceOf(CalledHost.class);
        assertThat(micro.asyncCall()).isNotNull();
    }
}
