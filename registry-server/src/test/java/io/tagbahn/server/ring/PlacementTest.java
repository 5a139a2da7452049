// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlacementTest {

    private static Ring zoned(int... countsByZone) {
        List<RingMember> members = new ArrayList<>();
        for (int zone = 0; zone < countsByZone.length; zone++) {
            for (int i = 0; i < countsByZone[zone]; i++) {
                members.add(new RingMember("z" + zone + "-" + i, Optional.of("z" + zone), 100));
            }
        }
        return Ring.of(members);
    }

    private static Set<String> zonesOf(List<String> owners) {
        return owners.stream().map(id -> id.substring(0, 2)).collect(Collectors.toSet());
    }

    @Test
    void anEmptyRingHasNoOwners() {
        Placement placement = new Placement(Ring.empty(), 3);
        assertThat(placement.owners("x")).isEmpty();
        assertThat(placement.owns("a", "x")).isFalse();
        assertThat(placement.cover(Set.of(), Set.of())).isEmpty();
    }

    @Test
    void ownersAreDifferentAndAsManyAsThereAreMembers() {
        for (int count = 1; count <= 6; count++) {
            Placement placement = new Placement(Ring.of(RingTest.members(count)), 4);
            for (int i = 0; i < 500; i++) {
                List<String> owners = placement.owners(RingTest.key(i));
                assertThat(owners).doesNotHaveDuplicates().hasSize(Math.min(4, count));
                assertThat(placement.owns(owners.get(owners.size() - 1), RingTest.key(i)))
                        .isTrue();
            }
        }
    }

    @Test
    void ownersStandInDifferentZonesAsLongAsThereAreZones() {
        Placement three = new Placement(zoned(4, 4, 1), 3);
        Placement two = new Placement(zoned(5, 2), 4);
        for (int i = 0; i < 1_000; i++) {
            assertThat(zonesOf(three.owners(RingTest.key(i)))).hasSize(3);
            List<String> owners = two.owners(RingTest.key(i));
            assertThat(owners).doesNotHaveDuplicates().hasSize(4);
            assertThat(zonesOf(owners.subList(0, 2))).hasSize(2);
        }
    }

    @Test
    void aMemberOfUnknownZoneSharesItsZoneWithNobody() {
        Ring ring = zoned(6).with(new RingMember("free-1", Optional.empty(), 100))
                .with(new RingMember("free-2", Optional.empty(), 100));
        Placement placement = new Placement(ring, 3);
        for (int i = 0; i < 1_000; i++) {
            assertThat(placement.owners(RingTest.key(i))).contains("free-1", "free-2");
        }
    }

    @Test
    void theFirstOwnerIsTheSameWhateverTheNumberOfReplicas() {
        Ring ring = zoned(3, 3, 3);
        for (int i = 0; i < 1_000; i++) {
            List<String> all = new Placement(ring, 9).owners(RingTest.key(i));
            for (int replicas = 1; replicas < 9; replicas++) {
                assertThat(new Placement(ring, replicas).owners(RingTest.key(i)))
                        .isEqualTo(all.subList(0, replicas));
            }
        }
    }

    @Test
    void whereOneLeavesOnlyItsKeysGetAnotherOwner() {
        Placement before = new Placement(Ring.of(RingTest.members(12)), 3);
        Placement after = new Placement(before.ring().without("node-4"), 3);
        for (int i = 0; i < 2_000; i++) {
            List<String> remaining = new ArrayList<>(before.owners(RingTest.key(i)));
            boolean owned = remaining.remove("node-4");
            List<String> now = after.owners(RingTest.key(i));
            assertThat(now.subList(0, remaining.size())).isEqualTo(remaining);
            assertThat(now).hasSize(3);
            assertThat(owned || now.equals(before.owners(RingTest.key(i)))).isTrue();
        }
    }

    @Test
    void aCoverOwnsEveryKeyWithFewMembers() {
        Ring ring = Ring.of(64, RingTest.members(20));
        Set<String> all = ring.members().stream().map(RingMember::id).collect(Collectors.toCollection(TreeSet::new));
        Placement placement = new Placement(ring, 3);
        Set<String> cover = placement.cover(all, Set.of());
        // With many points nearly any three members own some key, so hardly more than two can be left out.
        assertThat(cover).hasSizeBetween(7, 18);
        for (int i = 0; i < 5_000; i++) {
            assertThat(placement.owners(RingTest.key(i))).containsAnyElementsOf(cover);
        }
        Set<String> usable = new HashSet<>(all);
        usable.remove("node-1");
        usable.remove("node-2");
        Set<String> without = placement.cover(usable, Set.of());
        assertThat(without).doesNotContain("node-1", "node-2");
        for (int i = 0; i < 5_000; i++) {
            assertThat(placement.owners(RingTest.key(i))).containsAnyElementsOf(without);
        }
    }

    @Test
    void whereEveryMemberOwnsEverythingThePreferredOneIsTheCover() {
        Placement placement = new Placement(Ring.of(RingTest.members(3)), 3);
        Set<String> all = Set.of("node-0", "node-1", "node-2");
        assertThat(placement.cover(all, Collections.singleton("node-2"))).containsExactly("node-2");
    }
}
