// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.RegisterCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RegistrationStoreTest {

    private static final long CLOCK_MILLIS = 1_700_000_000_000L;
    private static final StoreLimits SMALL = new StoreLimits(3, 6, 2, 20, 2, 2);

    private final RegistrationStore store = new RegistrationStore(SMALL, LeaseTerms.defaults());

    private static Now at(Duration time) {
        return new Now(time.toNanos(), CLOCK_MILLIS + time.toMillis());
    }

    private static final Now START = at(Duration.ZERO);

    private static Instance instance(String id, String name) {
        return Instance.of(new ServiceName(name), new HostPort(Host.parse("10.0.0.1"), 80))
                .withId(new InstanceId(id));
    }

    private static RegisterCommand request(String id, String name, String... tags) {
        return RegisterCommand.of(new RegisterRequest(
                instance(id, name),
                Arrays.stream(tags).map(Tag::parse).toList(),
                Optional.empty(),
                RegisterMode.REPLACE,
                OptionalLong.empty()));
    }

    private static RegisterCommand with(RegisterCommand request, RegisterMode mode) {
        return new RegisterCommand(request.instance(), request.tags(), request.lease(), mode, request.generation());
    }

    private static RegisterCommand with(RegisterCommand request, long generation) {
        return new RegisterCommand(
                request.instance(), request.tags(), request.lease(), request.mode(), OptionalLong.of(generation));
    }

    private static RegisterCommand with(RegisterCommand request, Duration lease) {
        return new RegisterCommand(
                request.instance(), request.tags(), Optional.of(lease), request.mode(), request.generation());
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        store.visitEntries("", Optional.empty(), names::add);
        return names;
    }

    private List<String> peers(String entry) {
        List<String> ids = new ArrayList<>();
        store.forEachPeer(entry, peer -> ids.add(peer.instance().id().value()));
        return ids;
    }

    @Test
    void entriesThatNoMessageWouldHoldAreRefused() {
        assertThatThrownBy(() -> store.register(request("i", "s", "a".repeat(20)), START))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("serviceTags")
                .hasMessageContaining("21 bytes")
                .hasMessageContaining("20");
        assertThatThrownBy(() -> store.register(request("i", "s", "ü".repeat(10)), START))
                .isInstanceOf(InvalidArgument.class);
        assertThat(names()).isEmpty();

        RegisterCommand first = request("i", "s", "ü".repeat(9));
        store.register(first, START);
        assertThatThrownBy(() -> store.register(
                        new RegisterCommand(
                                first.instance(),
                                List.of("bb"),
                                Optional.empty(),
                                RegisterMode.ADD,
                                OptionalLong.empty()),
                        START))
                .isInstanceOf(InvalidArgument.class);
        assertThat(names()).containsExactly("s", "ü".repeat(9));
    }

    @Test
    void partsForWhichThereIsNoRoomAreRefused() {
        store.register(request("i", "s", "a", "b"), START);
        store.register(request("j", "t", "c", "d"), START);
        RegisterCommand third = request("k", "s");
        store.register(third, START);

        assertThatThrownBy(() -> store.register(
                        new RegisterCommand(
                                third.instance(),
                                List.of("e"),
                                Optional.empty(),
                                RegisterMode.ADD,
                                OptionalLong.empty()),
                        START))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining("6");
        assertThat(names()).containsExactly("a", "b", "c", "d", "s", "t");
    }

    @Test
    void expiredLeaseLeavesEveryPosting() {
        store.register(request("i", "s", "a", "b"), START);
        store.register(request("j", "s", "b"), at(Duration.ofSeconds(10)));

        assertThat(store.tick(at(Duration.ofMillis(29_999))).expired()).isZero();
        assertThat(names()).containsExactly("a", "b", "s");
        Expiry expiry = store.tick(at(Duration.ofSeconds(30)));
        assertThat(expiry.expired()).isEqualTo(1);
        assertThat(expiry.more()).isFalse();

        assertThat(names()).containsExactly("b", "s");
        assertThat(peers("b")).containsExactly("j");
        assertThat(peers("a")).isEmpty();
    }

    @Test
    void heartbeatKeepsALease() {
        long generation = store.register(request("i", "s"), START).generation();
        store.heartbeat(List.of(new LeaseRef(new InstanceId("i"), generation)), at(Duration.ofSeconds(20)));

        assertThat(store.tick(at(Duration.ofSeconds(49))).expired()).isZero();
        assertThat(store.tick(at(Duration.ofSeconds(50))).expired()).isEqualTo(1);
    }

    @Test
    void leaseIsClamped() {
        assertThat(store.register(with(request("i", "s"), Duration.ofMillis(-5)), START)
                        .lease())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(store.register(with(request("i", "s"), Duration.ofMillis(Long.MAX_VALUE)), START)
                        .lease())
                .isEqualTo(Duration.ofHours(24));
        assertThat(store.register(request("i", "s"), START).lease()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void endedLeaseIsAFloorForGenerationsUntilItIsForgotten() {
        RegisterCommand request = with(request("i", "s"), 7);
        store.register(request, START);
        store.tick(at(Duration.ofSeconds(30)));

        assertThatThrownBy(() -> store.register(request, at(Duration.ofSeconds(31))))
                .isInstanceOfSatisfying(
                        StaleGeneration.class, e -> assertThat(e.current()).isEqualTo(7));
        assertThatCode(() -> store.register(request, at(Duration.ofSeconds(30 + 600))))
                .doesNotThrowAnyException();
    }

    @Test
    void chosenGenerationIsAboveTheKnownAndNotBelowTheClock() {
        assertThat(store.register(request("i", "s"), START).generation()).isEqualTo(CLOCK_MILLIS);
        assertThat(store.register(request("i", "s"), START).generation()).isEqualTo(CLOCK_MILLIS + 1);
        store.deregister(new LeaseRef(new InstanceId("i"), CLOCK_MILLIS + 50), START);
        assertThat(store.register(request("i", "s"), START).generation()).isEqualTo(CLOCK_MILLIS + 51);
    }

    @Test
    void generationsMoreThanFiveMinutesAheadAreRefused() {
        long most = CLOCK_MILLIS + 300_000;

        assertThatThrownBy(() -> store.register(with(request("i", "s"), most + 1), START))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("generation"));
        assertThatThrownBy(() -> store.deregister(new LeaseRef(new InstanceId("i"), most + 1), START))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("lease.generation"));
        assertThat(store.register(with(request("i", "s"), most), START).generation())
                .isEqualTo(most);
    }

    @Test
    void deregistrationThatComesFirstHoldsUpItsRegistration() {
        store.deregister(new LeaseRef(new InstanceId("i"), 5), START);

        assertThatThrownBy(() -> store.register(with(request("i", "s"), 5), START))
                .isInstanceOf(StaleGeneration.class);
        assertThat(names()).isEmpty();
    }

    @Test
    void serviceNameStaysWhateverIsRemoved() {
        store.register(request("i", "s", "a"), START);
        store.register(with(request("i", "s", "a", "s", "never"), RegisterMode.REMOVE), START);

        assertThat(names()).containsExactly("s");
        assertThat(peers("s")).containsExactly("i");
    }

    @Test
    void addLeavesOtherFieldsAlone() {
        store.register(request("i", "s", "a"), START);
        store.register(with(request("i", "other", "b"), RegisterMode.ADD), START);

        assertThat(names()).containsExactly("a", "b", "s");
        assertThatThrownBy(() -> store.register(with(request("j", "s", "b"), RegisterMode.ADD), START))
                .isInstanceOf(NotFound.class);
    }

    @Test
    void stricterWordHolds() {
        store.register(request("i", "s"), START);
        store.setStatus(new InstanceId("i"), InstanceStatus.DRAINING, "", START);
        assertThat(peers("s")).isEmpty();
        assertThat(names()).containsExactly("s");

        store.register(
                new RegisterCommand(
                        instance("i", "s").withStatus(InstanceStatus.OUT_OF_SERVICE),
                        List.of(),
                        Optional.empty(),
                        RegisterMode.REPLACE,
                        OptionalLong.empty()),
                START);
        store.setStatus(new InstanceId("i"), InstanceStatus.UP, "", START);
        assertThat(peers("s")).isEmpty();

        store.register(request("i", "s"), START);
        assertThat(peers("s")).containsExactly("i");
    }

    @Test
    void operatorsWordIsForgottenSomeTimeAfterTheInstanceWasLastSeen() {
        store.register(request("i", "s"), START);
        store.setStatus(new InstanceId("i"), InstanceStatus.DRAINING, "", START);
        store.tick(at(Duration.ofDays(8))); // the lease ends only now: the instance was there until here
        store.tick(at(Duration.ofDays(15)));
        assertThat(store.operatorStatuses()).hasSize(1);

        store.tick(at(Duration.ofDays(15).plusMillis(1)));
        assertThat(store.operatorStatuses()).isEmpty();
    }

    @Test
    void restoredWordHoldsAndCountsFromTheRestart() {
        OperatorStatus word =
                new OperatorStatus(new InstanceId("i"), InstanceStatus.DRAINING, "why", 1, OptionalLong.empty());
        store.restore(List.of(word), START);
        store.tick(at(Duration.ofDays(7)));
        assertThat(store.operatorStatuses()).hasSize(1);

        store.register(request("i", "s"), at(Duration.ofDays(7)));
        assertThat(peers("s")).isEmpty();
        assertThat(store.operatorStatuses()).containsExactly(word);
    }

    @Test
    void eachLimitRefusesWithoutChangingAnything() {
        store.register(request("i", "s", "a", "b"), START);
        assertRefused("serviceTags", with(request("i", "s", "c"), RegisterMode.ADD));
        assertRefused("serviceTags", request("j", "s", "a", "b", "c"));
        store.register(request("j", "s", "c", "d"), START);
        assertRefused("serviceTags", request("k", "s", "e", "f"));
        assertThat(names()).containsExactly("a", "b", "c", "d", "s");
        store.register(request("k", "s", "e"), START);
        assertThat(store.entryCount()).isEqualTo(6);
        assertRefused("instance", request("l", "s"));
        assertThat(store.instanceCount()).isEqualTo(3);

        store.setStatus(new InstanceId("i"), InstanceStatus.DRAINING, "", START);
        store.setStatus(new InstanceId("j"), InstanceStatus.DRAINING, "", START);
        assertThatThrownBy(() -> store.setStatus(new InstanceId("k"), InstanceStatus.DRAINING, "", START))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("instanceId"));
        assertThat(peers("s")).containsExactly("k");
    }

    private void assertRefused(String field, RegisterCommand request) {
        List<String> before = names();
        assertThatThrownBy(() -> store.register(request, START))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo(field));
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void replacementThatFitsIsTakenAtTheLimitOfEntries() {
        store.register(request("i", "s", "a", "b"), START);
        store.register(request("j", "s", "c", "d"), START);
        store.register(request("k", "s", "e"), START);

        store.register(request("k", "s", "a"), START);
        assertThat(names()).containsExactly("a", "b", "c", "d", "s");
    }

    @Test
    void oldestTombstoneIsForgottenAtTheLimit() {
        for (String id : List.of("i", "j", "k")) {
            store.deregister(new LeaseRef(new InstanceId(id), 5), START);
        }

        assertThat(store.register(with(request("i", "s"), 5), START).generation())
                .isEqualTo(5);
        assertThatThrownBy(() -> store.register(with(request("j", "s"), 5), START))
                .isInstanceOf(StaleGeneration.class);
    }

    @Test
    void peerStaysTheSameObjectUntilTheInstanceChanges() {
        store.register(request("i", "s"), START);
        List<Peer> peers = new ArrayList<>();
        store.forEachPeer("s", peers::add);
        store.register(request("i", "s", "a"), START);
        store.forEachPeer("a", peers::add);
        store.register(
                new RegisterCommand(
                        instance("i", "s").withWeight(1),
                        List.of(),
                        Optional.empty(),
                        RegisterMode.REPLACE,
                        OptionalLong.empty()),
                START);
        store.forEachPeer("s", peers::add);

        assertThat(peers).hasSize(3);
        assertThat(peers.get(1)).isSameAs(peers.get(0));
        assertThat(peers.get(2)).isNotSameAs(peers.get(0));
        assertThat(peers.get(2).instance().weight()).isEqualTo(1);
    }

    @Test
    void manyLeasesThatEndAtOnceAreTakenOutInBatches() {
        RegistrationStore large = new RegistrationStore(StoreLimits.defaults(), LeaseTerms.defaults());
        int count = RegistrationStore.EXPIRED_PER_TICK_MAX + 1;
        for (int i = 0; i < count; i++) {
            large.register(request("i" + i, "s"), START);
        }

        Expiry first = large.tick(at(Duration.ofSeconds(30)));
        assertThat(first.expired()).isEqualTo(RegistrationStore.EXPIRED_PER_TICK_MAX);
        assertThat(first.more()).isTrue();
        Expiry second = large.tick(at(Duration.ofSeconds(30)));
        assertThat(second.expired()).isEqualTo(1);
        assertThat(second.more()).isFalse();
        assertThat(large.entryCount()).isZero();
    }
}
