// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Locality;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HereTest {

    @Test
    void firstVariableThatIsSetNamesThePlace() {
        Locality here = Here.from(Map.of(
                "NODE_HOSTNAME", "machine-7",
                "NODE_NAME", "other",
                "AVAILABILITY_ZONE", "a",
                "TAGBAHN_REGION", " north "));
        assertThat(here).isEqualTo(new Locality(Optional.of("machine-7"), Optional.of("a"), Optional.of("north")));
    }

    @Test
    void nothingSetIsNowhere() {
        assertThat(Here.from(Map.of("NODE_NAME", " "))).isEqualTo(Locality.UNKNOWN);
    }

    @Test
    void valueThatCanBeNoNameIsPassedOver() {
        assertThat(Here.from(Map.of("TAGBAHN_ZONE", "x".repeat(300), "ZONE", "b"))
                        .zone())
                .hasValue("b");
    }
}
