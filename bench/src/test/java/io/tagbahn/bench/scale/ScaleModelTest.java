// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the ring says of messages. */
final class ScaleModelTest {

    @Test
    void oneNodeSendsNothing() {
        for (ScaleOperation operation : ScaleOperation.values()) {
            assertThat(ScaleModel.of(1, 3).messages(operation, 10)).isZero();
        }
    }

    @Test
    void registrationIsOneMessageANodeHoweverManyTags() {
        ScaleModel five = ScaleModel.of(5, 3);
        assertThat(five.messages(ScaleOperation.REGISTER, 1)).isBetween(2.0, 4.0);
        assertThat(five.messages(ScaleOperation.REGISTER, 100)).isEqualTo(4);
        assertThat(five.messages(ScaleOperation.REGISTER, 1_000)).isEqualTo(4);
    }

    @Test
    void heartbeatGoesToThreeHomesWhateverTheTagsAndTheNodes() {
        assertThat(ScaleModel.of(5, 3).messages(ScaleOperation.HEARTBEAT, 1)).isCloseTo(3 - 3.0 / 5, within(0.2));
        assertThat(ScaleModel.of(100, 3).messages(ScaleOperation.HEARTBEAT, 1_000))
                .isBetween(2.8, 3.0);
    }

    @Test
    void lookupOfOneTagAsksOneNodeAtMost() {
        assertThat(ScaleModel.of(3, 3).messages(ScaleOperation.DISCOVER_ONE, 10))
                .isZero();
        assertThat(ScaleModel.of(100, 3).messages(ScaleOperation.DISCOVER_ONE, 10))
                .isBetween(0.9, 1.0);
    }

    @Test
    void estimatesFollowThePricesOfWhatRan() {
        List<CostRow> rows = new ArrayList<>();
        for (int nodes : List.of(1, 3, 5)) {
            for (int tags : List.of(1, 10, 100)) {
                for (ScaleOperation operation : ScaleOperation.values()) {
                    double messages = ScaleModel.of(nodes, 3).messages(operation, tags);
                    rows.add(new CostRow(
                            new Setup(nodes, 3, 100, tags),
                            operation,
                            0,
                            0,
                            10 + 20 * messages,
                            messages,
                            messages,
                            100 * messages,
                            0));
                }
            }
        }
        List<EstimateRow> estimates = ScaleModel.estimates(rows, List.of(100), List.of(10), 3);
        assertThat(estimates).hasSize(ScaleOperation.values().length).allSatisfy(row -> {
            assertThat(row.nodes()).isEqualTo(100);
            assertThat(row.cpuMicros()).isCloseTo(10 + 20 * row.messages(), within(1e-3));
            assertThat(row.messageBytes()).isCloseTo(100 * row.messages(), within(1e-3));
        });
    }
}
