// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WholeRingsTest {

    private static final int REPLICAS = 2;

    private static ClusterView view(List<Ring> recent, String... members) {
        return ClusterView.of(
                "a", Arrays.stream(members).map(WholeRingsTest::member).toList(), REPLICAS, recent, List.of());
    }

    private static ClusterMember member(String id) {
        HostPort address = HostPort.parse("10.0.0.1:80");
        return new ClusterMember(
                id, address, address, Locality.UNKNOWN, RingMember.WEIGHT_USUAL, Stage.READY, MemberState.ALIVE, 1);
    }

    @Test
    void ringThatGrewIsHeldWhole() {
        ClusterView one = view(List.of(), "a");
        ClusterView two = view(List.of(one.readRing()), "a", "b");

        WholeRings whole = WholeRings.NONE.filledFor(one).seenBy(one, two);

        assertThat(whole.rings()).containsExactlyInAnyOrder(one.readRing(), two.readRing());
    }

    /** Who has joined since tells nobody what it would own by the ring from before. */
    @Test
    void ringFromBeforeTheLastJoinSaysNothingOfOneWithoutThoseThatCameBetween() {
        ClusterView one = view(List.of(), "a");
        ClusterView two = view(List.of(one.readRing()), "a", "b");
        ClusterView three = view(List.of(one.readRing(), two.readRing()), "a", "b", "c");
        ClusterView without = view(List.of(one.readRing(), two.readRing(), three.readRing()), "a", "c");

        WholeRings whole = WholeRings.NONE
                .filledFor(one)
                .seenBy(one, two)
                .seenBy(two, three)
                .seenBy(three, without);

        assertThat(whole.rings()).contains(three.readRing()).doesNotContain(one.readRing(), without.readRing());
    }

    @Test
    void ringThatShrankIsHeldWholeOnlyOnceTheNodeIsFilledForIt() {
        ClusterView three = view(List.of(), "a", "b", "c");
        ClusterView two = view(List.of(three.readRing()), "a", "b");

        WholeRings whole = WholeRings.NONE.filledFor(three).seenBy(three, two);

        assertThat(whole.rings()).containsExactly(three.readRing());
        assertThat(whole.filledFor(two).rings()).contains(two.readRing());
    }
}
