// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReplicationTest {

    private static Version version(long generation) {
        return new Version(generation, 0);
    }

    @Test
    void everyNodeGetsOnePartHoweverManyTags() {
        List<List<String>> owners = new ArrayList<>();
        for (int tag = 0; tag < 1_000; tag++) {
            owners.add(List.of("n" + tag % 5, "n" + (tag + 1) % 5));
        }
        WritePlan plan = WritePlan.of(List.of("n3", "n9"), owners);
        assertThat(plan.parts().keySet()).containsExactly("n3", "n9", "n0", "n1", "n2", "n4");
        List<Integer> tagsOfN3 = new ArrayList<>();
        for (int tag = 0; tag < 1_000; tag++) {
            if (tag % 5 == 2 || tag % 5 == 3) {
                tagsOfN3.add(tag);
            }
        }
        assertThat(plan.parts())
                .containsEntry("n3", new WritePlan.Part(true, tagsOfN3))
                .containsEntry("n9", new WritePlan.Part(true, List.of()));
        assertThat(plan.parts().values().stream().filter(WritePlan.Part::home)).hasSize(2);
    }

    @Test
    void aWriteIsSafeWithAMajorityOfItsHomesAndSaysHowManyCopiesThereAre() {
        WritePlan plan = WritePlan.of(List.of("a", "b", "c"), List.of(List.of("a", "d"), List.of("d", "e")));
        assertThat(plan.safeWith(Set.of("a", "d", "e"))).isFalse();
        assertThat(plan.safeWith(Set.of("a", "c"))).isTrue();
        assertThat(plan.copies(Set.of("a", "b", "c", "d", "e"))).isEqualTo(2);
        assertThat(plan.copies(Set.of("a", "b", "c", "d"))).isEqualTo(1);
        assertThat(plan.copies(Set.of("a", "b", "c"))).isZero();
        assertThat(WritePlan.of(List.of("a"), List.of()).copies(Set.of("a"))).isEqualTo(1);
    }

    @Test
    void digestsOfTheSameEntriesAreEqualInAnyOrder() {
        Digest one = new Digest(64);
        Digest other = new Digest(64);
        for (int i = 0; i < 1_000; i++) {
            one.add("key-" + i, version(i));
            other.add("key-" + (999 - i), version(999 - i));
        }
        assertThat(one).isEqualTo(other);
        assertThat(one.root()).isEqualTo(other.root());
        other.remove("key-7", version(7));
        other.add("key-7", version(8));
        BitSet differing = one.differing(Digest.of(other.numbers()));
        assertThat(differing.cardinality()).isEqualTo(1);
        assertThat(differing.get(one.bucket("key-7"))).isTrue();
        assertThat(one.root()).isNotEqualTo(other.root());
    }

    @Test
    void aDigestHasAPowerOfTwoBuckets() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Digest(48)).withMessageContaining("48");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Digest(Digest.BUCKETS_MAX * 2))
                .withMessageContaining("131072");
        assertThatIllegalArgumentException().isThrownBy(() -> new Digest(2).differing(new Digest(4)));
    }

    /** Whatever two nodes hold, a round of repair over the buckets that differ leaves both with the newest. */
    @Test
    void oneRoundOfRepairMakesTwoNodesEqual() {
        for (long seed = 1; seed <= 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Map<String, Version> ours = new HashMap<>();
            Map<String, Version> theirs = new HashMap<>();
            for (int i = 0; i < 500; i++) {
                Version version = new Version(random.nextInt(3), random.nextInt(3) - 1);
                Version other = random.nextInt(10) > 0 ? version : new Version(random.nextInt(3), -1);
                if (random.nextInt(20) > 0) {
                    ours.put("k" + i, version);
                }
                if (random.nextInt(20) > 0) {
                    theirs.put("k" + i, other);
                }
            }
            Map<String, Version> expected = new HashMap<>(ours);
            theirs.forEach((key, version) -> expected.merge(key, version, (a, b) -> a.compareTo(b) >= 0 ? a : b));
            BitSet differing = digest(ours).differing(digest(theirs));
            Difference difference = Difference.of(within(differing, ours), within(differing, theirs));
            Map<String, Version> before = new HashMap<>(theirs);
            difference.send().forEach(key -> theirs.put(key, ours.get(key)));
            difference.fetch().forEach(key -> ours.put(key, before.get(key)));
            assertThat(ours).as("seed %d", seed).isEqualTo(expected);
            assertThat(theirs).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static Digest digest(Map<String, Version> entries) {
        Digest digest = new Digest(256);
        entries.forEach(digest::add);
        return digest;
    }

    private static Map<String, Version> within(BitSet buckets, Map<String, Version> entries) {
        Digest places = new Digest(256);
        Map<String, Version> within = new HashMap<>(entries);
        within.keySet().removeIf(key -> !buckets.get(places.bucket(key)));
        return within;
    }

    @Test
    void hintsHoldTheNewestWriteOfEachKeyOldestFirst() {
        Hints<String> hints = new Hints<>(10, 100);
        hints.keep("n", "a", version(2), "a2", 0);
        hints.keep("n", "b", version(1), "b1", 1);
        hints.keep("n", "a", version(1), "a1", 2);
        hints.keep("n", "b", version(3), "b3", 3);
        hints.keep("m", "a", version(1), "other", 3);
        assertThat(hints.take("n", 1, 4)).containsExactly("a2");
        assertThat(hints.take("n", 10, 4)).containsExactly("b3");
        assertThat(hints.take("n", 10, 4)).isEmpty();
        assertThat(hints.size("m")).isEqualTo(1);
        assertThat(hints.dropped()).isZero();
    }

    @Test
    void hintsThatAreTooManyOrTooOldAreDroppedAndCounted() {
        Hints<Integer> hints = new Hints<>(3, 100);
        for (int i = 0; i < 5; i++) {
            hints.keep("n", "k" + i, version(1), i, i * 50L);
        }
        assertThat(hints.size("n")).isEqualTo(3);
        assertThat(hints.dropped()).isEqualTo(2);
        assertThat(hints.take("n", 10, 210)).containsExactly(3, 4);
        assertThat(hints.dropped()).isEqualTo(3);
        hints.keep("n", "k", version(1), 9, 0);
        hints.forget("n");
        assertThat(hints.dropped()).isEqualTo(4);
        assertThat(hints.take("n", 10, 0)).isEmpty();
    }
}
