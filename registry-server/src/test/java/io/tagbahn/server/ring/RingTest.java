// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingTest {

    private static final int KEYS = 10_000;

    static RingMember member(int number) {
        return new RingMember("node-" + number, Optional.empty(), RingMember.WEIGHT_USUAL);
    }

    static List<RingMember> members(int count) {
        List<RingMember> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(member(i));
        }
        return members;
    }

    static String key(int number) {
        return "http://example.org/concept/" + number;
    }

    private static String owner(Ring ring, String key) {
        return new Placement(ring, 1).owners(key).get(0);
    }

    @Test
    void everyOrderOfJoiningGivesTheSameOwners() {
        List<RingMember> members = members(12);
        Ring expected = Ring.of(members);
        for (long seed = 1; seed <= 5; seed++) {
            Collections.shuffle(members, new Random(seed));
            Ring ring = Ring.empty();
            for (RingMember member : members) {
                // Others come and go in between.
                ring = ring.with(member).with(member(100)).without("node-100");
            }
            assertThat(ring).isEqualTo(expected);
            for (int i = 0; i < KEYS; i++) {
                assertThat(new Placement(ring, 3).owners(key(i)))
                        .as("seed %d key %d", seed, i)
                        .isEqualTo(new Placement(expected, 3).owners(key(i)));
            }
        }
    }

    /** FF-28: two nodes own points of equal hash. */
    @Test
    void pointsThatCoincideAreOrderedByIdAndOutliveEachOther() {
        // Two names whose points coincide can't be found in any useful time: the points are made by hand.
        Ring both = Ring.ofPoints(Map.of("a", new long[] {5, 1L << 62}, "b", new long[] {5, -3}));
        Ring other = Ring.ofPoints(Map.of("b", new long[] {5, -3}, "a", new long[] {5, 1L << 62}));

        assertThat(both.memberAt(both.holder(both.firstPoint(0))).id()).isEqualTo("a");
        assertThat(other.memberAt(other.holder(other.firstPoint(0))).id()).isEqualTo("a");
        Ring without = both.without("a");
        assertThat(without.pointCount()).isEqualTo(2);
        assertThat(without.memberAt(without.holder(without.firstPoint(0))).id()).isEqualTo("b");
        assertThat(both.without("b").pointCount()).isEqualTo(2);
    }

    @Test
    void theCircleClosesAfterTheLastPoint() {
        Ring ring = Ring.ofPoints(Map.of("a", new long[] {10}, "b", new long[] {-10}));
        // As unsigned numbers, -10 is nearly the highest.
        assertThat(ring.memberAt(ring.holder(ring.firstPoint(10))).id()).isEqualTo("a");
        assertThat(ring.memberAt(ring.holder(ring.firstPoint(11))).id()).isEqualTo("b");
        assertThat(ring.memberAt(ring.holder(ring.firstPoint(-9))).id()).isEqualTo("a");
    }

    @Test
    void oneThatJoinsTakesItsShareFromTheOthersAndNothingElseMoves() {
        for (int count : new int[] {10, 100}) {
            Ring before = Ring.of(members(count));
            Ring after = before.with(member(count));
            int moved = 0;
            for (int i = 0; i < KEYS; i++) {
                String to = owner(after, key(i));
                if (!owner(before, key(i)).equals(to)) {
                    moved++;
                    assertThat(to).isEqualTo("node-" + count);
                }
            }
            double share = after.share("node-" + count);
            // Its own share of the ring, give or take the sample's error; that share is 1/n give or take 1/16.
            assertThat((double) moved / KEYS).isCloseTo(share, within(0.012));
            assertThat(share).isCloseTo(1.0 / (count + 1), within(0.25 / (count + 1)));
        }
    }

    @Test
    void oneThatLeavesGivesUpItsShareAndNothingElseMoves() {
        Ring before = Ring.of(members(20));
        Ring after = before.without("node-7");
        for (int i = 0; i < KEYS; i++) {
            String from = owner(before, key(i));
            if (!from.equals("node-7")) {
                assertThat(owner(after, key(i))).isEqualTo(from);
            }
        }
        assertThat(after)
                .isEqualTo(Ring.of(before.members().stream()
                        .filter(member -> !member.id().equals("node-7"))
                        .toList()));
    }

    @Test
    void aChangeOfWeightMovesTheShareThatChanges() {
        Ring before = Ring.of(members(10));
        Ring after = before.with(new RingMember("node-3", Optional.empty(), 150));
        int moved = 0;
        for (int i = 0; i < KEYS; i++) {
            String to = owner(after, key(i));
            if (!owner(before, key(i)).equals(to)) {
                moved++;
                assertThat(to).isEqualTo("node-3");
            }
        }
        // From 1/10 to 1.5/10.5: 0.043.
        assertThat((double) moved / KEYS).isBetween(0.025, 0.06);
        assertThat(after.with(member(3))).isEqualTo(before);
    }

    @Test
    void sharesAddUpToOneAndFollowTheWeights() {
        List<RingMember> members = members(8);
        members.add(new RingMember("large", Optional.empty(), 400));
        Ring ring = Ring.of(members);
        Map<String, Double> shares = new HashMap<>();
        ring.members().forEach(member -> shares.put(member.id(), ring.share(member.id())));
        assertThat(shares.values().stream().mapToDouble(Double::doubleValue).sum())
                .isCloseTo(1, within(1e-9));
        assertThat(shares.get("large")).isCloseTo(4.0 / 12, within(0.05));
        assertThat(ring.share("nobody")).isZero();
        assertThat(Ring.of(1, members(1)).share("node-0")).isEqualTo(1);
    }

    @Test
    void wrongValuesAreNamed() {
        assertThatIllegalArgumentException().isThrownBy(() -> Ring.empty(0)).withMessageContaining("pointsUsual 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RingMember("a", Optional.empty(), 0))
                .withMessageContaining("weight 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ring.of(List.of(member(1), member(1))))
                .withMessageContaining("node-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Placement(Ring.empty(), 0))
                .withMessageContaining("replicas 0");
    }
}
