// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GossipQueueTest {

    private final Counters counters = new Counters();
    private final GossipQueue queue = new GossipQueue(3, counters);

    private static Claim left(String subject, long incarnation) {
        return new Claim.Left(subject, incarnation);
    }

    private static byte[] bytes(Claim claim) {
        return PacketCodec.encode(claim);
    }

    @Test
    void onlyTheNewestClaimAboutAMemberWaits() {
        queue.put(left("a", 1));
        queue.put(left("a", 2));
        assertThat(queue.take(1_000, 4)).containsExactly(bytes(left("a", 2)));
    }

    @Test
    void thoseToldLeastOftenGoFirstAndOfThemTheLatest() {
        queue.put(left("a", 1));
        queue.take(1_000, 4);
        queue.put(left("b", 1));
        queue.put(left("c", 1));
        assertThat(queue.take(1_000, 4)).containsExactly(bytes(left("c", 1)), bytes(left("b", 1)), bytes(left("a", 1)));
    }

    @Test
    void aClaimIsToldAsOftenAsItShouldBe() {
        queue.put(left("a", 1));
        for (int i = 0; i < 4; i++) {
            assertThat(queue.told("a", 4)).isEqualTo(i);
            assertThat(queue.take(1_000, 4)).hasSize(1);
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.told("a", 4)).isEqualTo(4);
        assertThat(queue.take(1_000, 4)).isEmpty();
    }

    @Test
    void noMoreIsTakenThanFits() {
        queue.put(left("a", 1));
        queue.put(left("b", 1));
        int one = bytes(left("a", 1)).length;
        assertThat(queue.take(2 * one - 1, 4)).containsExactly(bytes(left("b", 1)));
        assertThat(queue.take(one - 1, 4)).isEmpty();
    }

    @Test
    void aFullQueueDropsWhatWasToldMostOften() {
        queue.put(left("a", 1));
        List<byte[]> told = queue.take(1_000, 4);
        assertThat(told).hasSize(1);
        queue.put(left("b", 1));
        queue.put(left("c", 1));
        queue.put(left("d", 1));
        assertThat(queue.size()).isEqualTo(3);
        assertThat(queue.told("a", 9)).isEqualTo(9);
        assertThat(counters.get(SwimCounter.GOSSIP_DROPPED)).isEqualTo(1);
    }
}
