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
import java.util.Set;
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

        WholeRings whole = WholeRings.NONE.filledFor(one).seenBy(one, two, two.writeRings());

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
                .seenBy(one, two, two.writeRings())
                .seenBy(two, three, three.writeRings())
                .seenBy(three, without, without.writeRings());

        assertThat(whole.rings()).contains(three.readRing()).doesNotContain(one.readRing(), without.readRing());
    }

    @Test
    void ringThatShrankIsHeldWholeOnlyOnceTheNodeIsFilledForIt() {
        ClusterView three = view(List.of(), "a", "b", "c");
        ClusterView two = view(List.of(three.readRing()), "a", "b");

        WholeRings whole = WholeRings.NONE.filledFor(three).seenBy(three, two, two.writeRings());

        assertThat(whole.rings()).containsExactly(three.readRing());
        assertThat(whole.filledFor(two).rings()).contains(two.readRing());
    }

    /** It was given nothing for the small ring, of which it was no member. */
    @Test
    void nodeThatHasJoinedHoldsNothingMoreWholeWhenAnotherGoes() {
        ClusterView alone = ClusterView.of("a", List.of(member("b")), REPLICAS, List.of(), List.of());
        Ring before = alone.readRing();
        ClusterView three = view(List.of(before), "a", "b", "c");
        ClusterView two = view(List.of(before, three.readRing()), "a", "b");

        WholeRings whole = new WholeRings(List.of(three.readRing(), before)).seenBy(three, two, two.writeRings());

        assertThat(whole.rings()).contains(three.readRing()).doesNotContain(two.readRing());
    }

    @Test
    void ringFromBeforeIsHeldWholeNoLongerThanOthersCertainlyActOnIt() {
        ClusterView one = view(List.of(), "a");
        ClusterView two = view(List.of(one.readRing()), "a", "b");

        WholeRings whole = WholeRings.NONE
                .filledFor(one)
                .seenBy(one, two, two.writeRings())
                .seenBy(two, two, Set.of(two.readRing()));

        assertThat(whole.rings()).containsExactly(two.readRing());
    }
}
