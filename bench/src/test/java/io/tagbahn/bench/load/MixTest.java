// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MixTest {

    @Test
    void operationsComeInTheirShares() {
        Mix mix = Mix.parse("tagDiscover=90, register=10");
        SplittableRandom random = new SplittableRandom(1);
        Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
        for (int i = 0; i < 100_000; i++) {
            counts.merge(mix.next(random), 1, Integer::sum);
        }
        assertThat(counts).containsOnlyKeys(Operation.TAG_DISCOVER, Operation.REGISTER);
        assertThat(counts.getOrDefault(Operation.REGISTER, 0) / 100_000.0).isCloseTo(0.1, within(0.01));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tagDiscover", "tagDiscover=3,heartbeat=1", "discover=1,serviceNames=2"})
    void textIsReadAsItIsWritten(String text) {
        assertThat(Mix.parse(text)).hasToString(text);
        assertThat(Mix.parse(Mix.parse(text).toString())).isEqualTo(Mix.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "lookup", "tagDiscover=0", "tagDiscover=x", "tagDiscover=-1", "tagDiscover,tagDiscover"})
    void textThatIsNoMixIsRefused(String text) {
        assertThatThrownBy(() -> Mix.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
