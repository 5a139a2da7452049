// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HeartbeatResult;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That the benchmarks do the work that they time. */
final class MicroTest {

    @Test
    void questionsToTheIndexHaveAnswers() {
        MatchingMicro matching = new MatchingMicro();
        matching.fill();
        assertThat(IntStream.range(0, 1_000)
                        .filter(i -> !matching.match().matches().isEmpty())
                        .count())
                .isGreaterThan(300);
        assertThat(matching.parseTag().spelling()).isNotEmpty();
    }

    @Test
    void keysHaveThreeOwnersOnRingsOfBothSizes() {
        for (int nodes : new int[] {5, 1_000}) {
            RingMicro ring = new RingMicro();
            ring.nodes = nodes;
            ring.build();
            assertThat(ring.owners()).hasSize(3).doesNotHaveDuplicates();
        }
    }

    @Test
    void storeRenewsWhatWasRegisteredAndFindsFiveOfEachTag() {
        StoreMicro store = new StoreMicro();
        store.fill();
        assertThat(store.register().generation()).isPositive();
        HeartbeatResult renewed = store.heartbeat();
        assertThat(renewed.unknown()).isEmpty();
        assertThat(renewed.superseded()).isEmpty();
        assertThat(store.lookup()).isEqualTo(5);
    }
}
