// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.peer.Word;
import io.tagbahn.server.replication.Shares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other nodes say of an instance, in any order and more than once. */
class CopyMergeTest {

    private static final Now NOW = new Now(0, 1_700_000_000_000L);
    private static final InstanceId ID = new InstanceId("i");
    private static final int LEASE = 30_000;

    private final RegistrationStore store = store();

    private static RegistrationStore store() {
        return new RegistrationStore(StoreLimits.defaults(), LeaseTerms.defaults());
    }

    private static Instance instance(int port) {
        return Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:" + port))
                .withId(ID);
    }

    private static Change.RecordCopy record(int port, long generation, String... tags) {
        Set<String> entries = new TreeSet<>(List.of(tags));
        entries.add("s");
        return new Change.RecordCopy(instance(port), List.copyOf(entries), generation, LEASE, LEASE, Word.NONE, 0);
    }

    private static Change.PostedCopy posted(int port, long generation, String... entries) {
        return new Change.PostedCopy(
                instance(port), List.copyOf(new TreeSet<>(List.of(entries))), generation, Word.NONE, 0);
    }

    private Outcome.Kind apply(Change change) {
        return store.apply(change, NOW).kind();
    }

    private static String state(RegistrationStore of) {
        Optional<Held> held = of.held(ID, NOW);
        return held.map(is -> is.generation() + " " + is.instance().port() + " " + is.home() + " " + is.entries() + " "
                        + is.posted())
                .orElse("none, gone up to " + of.deregistered(ID, NOW));
    }

    private static RegisterCommand command(RegisterMode mode, String... tags) {
        List<Tag> parsed = new ArrayList<>();
        for (String tag : tags) {
            parsed.add(Tag.parse(tag));
        }
        return RegisterCommand.of(new RegisterRequest(
                instance(1), parsed, Optional.of(Duration.ofMillis(LEASE)), mode, OptionalLong.of(7)));
    }

    private static Change.RecordCopy copy(RegistrationStore of) {
        return Shares.record(of.held(ID, NOW).orElseThrow());
    }

    @Test
    void ofTwoReplacementsOfOneGenerationTheSameOneStandsEverywhere() {
        Set<List<String>> stood = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            RegistrationStore one = store();
            RegistrationStore other = store();
            one.register(command(RegisterMode.REPLACE, "urn:a" + i, "urn:b"), NOW);
            other.register(command(RegisterMode.REPLACE, "urn:c" + i, "urn:b"), NOW);
            Change ofOne = copy(one);
            Change ofOther = copy(other);
            one.apply(ofOther, NOW);
            other.apply(ofOne, NOW);
            assertThat(state(one)).isEqualTo(state(other));
            assertThat(copy(one)).isIn(ofOne, ofOther);
            stood.add(copy(one).equals(ofOne) ? List.of("one") : List.of("other"));
        }
        assertThat(stood).as("neither is preferred").hasSize(2);
    }

    @Test
    void partsThatGoBackToTheSameReplacementUnite() {
        RegistrationStore other = store();
        store.register(command(RegisterMode.REPLACE, "urn:a"), NOW);
        other.apply(copy(store), NOW);
        store.register(command(RegisterMode.ADD, "urn:b"), NOW);
        other.register(command(RegisterMode.ADD, "urn:c"), NOW);
        Change ofOne = copy(store);
        store.apply(copy(other), NOW);
        other.apply(ofOne, NOW);
        assertThat(state(store)).isEqualTo(state(other));
        assertThat(copy(store).entries()).containsExactly("s", "urn:a", "urn:b", "urn:c");
    }

    /** Ports differ only between generations, as where one caller registers; or at will, as where two do. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void orderAndRepetitionOfCopiesDoNotMatter(long seed) {
        Random random = new Random(seed);
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long generation = 1L + random.nextInt(4);
            int port = seed % 2 == 0 ? (int) generation : 1 + random.nextInt(3);
            changes.add(
                    random.nextInt(8) == 0
                            ? new Change.Removal(ID, generation, false)
                            : record(port, generation, "t" + random.nextInt(5), "t" + random.nextInt(5)));
        }
        RegistrationStore first = store();
        changes.forEach(change -> first.apply(change, NOW));
        for (int order = 0; order < 50; order++) {
            List<Change> shuffled = new ArrayList<>(changes);
            shuffled.addAll(changes.subList(0, 4));
            Collections.shuffle(shuffled, random);
            RegistrationStore other = store();
            shuffled.forEach(change -> other.apply(change, NOW));
            assertThat(state(other)).as("seed %d, %s", seed, shuffled).isEqualTo(state(first));
        }
    }

    @Test
    void partsOfOneGenerationUnite() {
        assertThat(apply(record(1, 5, "a"))).isEqualTo(Outcome.Kind.TAKEN);
        assertThat(apply(record(1, 5, "b"))).isEqualTo(Outcome.Kind.TAKEN);

        assertThat(store.held(ID, NOW).orElseThrow().entries()).containsExactly("a", "b", "s");
    }

    @Test
    void postingsAloneAreNoRegistration() {
        assertThat(apply(posted(1, 5, "a"))).isEqualTo(Outcome.Kind.TAKEN);

        assertThat(store.heartbeat(List.of(new LeaseRef(ID, 5)), NOW).unknown()).hasSize(1);
        assertThat(store.tick(new Now(Long.MAX_VALUE / 2, 0)).expired()).isZero();
        assertThat(store.entryCount()).isEqualTo(1);
    }

    @Test
    void olderPostingsNeverStandOverNewerOnes() {
        apply(posted(1, 5, "a", "b"));

        assertThat(apply(posted(1, 4, "c"))).isEqualTo(Outcome.Kind.STALE);
        assertThat(apply(posted(1, 6, "b"))).isEqualTo(Outcome.Kind.TAKEN);
        assertThat(store.held(ID, NOW).orElseThrow().posted()).containsExactly("b");
        assertThat(apply(posted(1, 7))).isEqualTo(Outcome.Kind.TAKEN);
        assertThat(store.entryCount()).isZero();
        assertThat(apply(posted(1, 6, "b"))).isNotEqualTo(Outcome.Kind.TAKEN);
    }

    @Test
    void postingsThatComeLateStayOutWhereTheNodeHasHeardThatItHasNone() {
        assertThat(apply(posted(1, 7))).isEqualTo(Outcome.Kind.TAKEN);
        assertThat(apply(posted(1, 6, "b"))).isEqualTo(Outcome.Kind.STALE);
        assertThat(store.entryCount()).isZero();
        assertThat(apply(posted(1, 7, "b"))).isEqualTo(Outcome.Kind.TAKEN);
    }

    @Test
    void homeSaysWhichEntriesItsRecordLost() {
        apply(record(1, 5, "a", "b"));

        assertThat(store.apply(record(1, 6, "b", "c"), NOW).removed()).containsExactly("a");
        assertThat(store.apply(record(1, 6, "b", "c"), NOW).removed()).isEmpty();
        assertThat(store.apply(new Change.Removal(ID, 6, false), NOW).removed()).containsExactly("b", "c", "s");
        assertThat(store.apply(new Change.Removal(ID, 6, false), NOW).removed()).isEmpty();
    }

    @Test
    void deregistrationStandsAndTheEndOfALeaseGivesWayToAHomeWhereItGoesOn() {
        apply(new Change.Removal(ID, 5, false));
        assertThat(apply(record(1, 5, "a"))).isEqualTo(Outcome.Kind.GONE);
        assertThat(apply(record(1, 6, "a"))).isEqualTo(Outcome.Kind.TAKEN);

        assertThat(apply(new Change.Removal(ID, 6, true))).isEqualTo(Outcome.Kind.STALE);
        assertThat(apply(new Change.Removal(ID, 6, false))).isEqualTo(Outcome.Kind.TAKEN);
        assertThat(apply(record(1, 6, "a"))).isEqualTo(Outcome.Kind.GONE);
        apply(new Change.Removal(ID, 7, true));
        assertThat(apply(record(1, 7, "a"))).isEqualTo(Outcome.Kind.TAKEN);
    }

    @Test
    void newerWordHoldsWhateverCopyItComesWith() {
        Word word = new Word(InstanceStatus.DRAINING, "why", 7);
        apply(record(1, 5, "a"));
        apply(new Change.PostedCopy(instance(1), List.of("a"), 4, word, 0));
        assertThat(store.forEachPeer("a", peer -> assertThat(peer).isNull())).isTrue();

        apply(new Change.RecordCopy(
                instance(1), List.of("a", "s"), 6, LEASE, LEASE, new Word(InstanceStatus.UP, "", 8), 0));
        apply(new Change.PostedCopy(instance(1), List.of("a"), 6, word, 0));
        List<Peer> peers = new ArrayList<>();
        store.forEachPeer("a", peers::add);
        assertThat(peers).hasSize(1);
    }

    @Test
    void ownedEntriesAlonePostARecord() {
        store.own("a"::equals, true);
        apply(record(1, 5, "a", "b"));

        assertThat(store.held(ID, NOW).orElseThrow().entries()).containsExactly("a", "b", "s");
        assertThat(store.held(ID, NOW).orElseThrow().posted()).containsExactly("a");
        store.own("b"::equals, true);
        store.releasePosted(ID, NOW);
        assertThat(store.held(ID, NOW).orElseThrow().posted()).containsExactly("b");
        store.releaseHome(new LeaseRef(ID, 5), NOW);
        assertThat(store.held(ID, NOW).orElseThrow().home()).isFalse();
        assertThat(store.entryCount()).isEqualTo(1);
    }

    @Test
    void leaseIsToldOfBeforeItEndsAndProlongedWhereItGoesOn() {
        store.own(entry -> true, true);
        apply(record(1, 5, "a"));
        Now end = new Now(LEASE * 1_000_000L, NOW.epochMillis() + LEASE);

        assertThat(store.tick(end).ending()).hasSize(1);
        store.prolong(new LeaseRef(ID, 5), 10_000, end);
        Now later = new Now(end.nanos() + 9_999_000_000L, 0);
        assertThat(store.tick(later).ending()).isEmpty();
        Now over = new Now(end.nanos() + 10_000_000_000L, 0);
        assertThat(store.tick(over).ending()).hasSize(1);
        assertThat(store.tick(new Now(over.nanos() + RegistrationStore.ENDING.toNanos(), 0))
                        .expired())
                .isEqualTo(1);
    }

    @Test
    void copiesForWhichThereIsNoRoomAreRefusedAndChangeNothing() {
        RegistrationStore small =
                new RegistrationStore(new StoreLimits(10, 3, 10, 1_000, 10, 10), LeaseTerms.defaults());
        assertThat(small.apply(record(1, 5, "a", "b"), NOW).kind()).isEqualTo(Outcome.Kind.TAKEN);

        assertThat(small.apply(record(1, 6, "a", "c", "d"), NOW).kind()).isEqualTo(Outcome.Kind.REFUSED);
        assertThat(small.apply(posted(1, 6, "a", "b", "s", "e"), NOW).kind()).isEqualTo(Outcome.Kind.REFUSED);
        assertThat(state(small)).startsWith("5 1 true [a, b, s]");
    }
}
