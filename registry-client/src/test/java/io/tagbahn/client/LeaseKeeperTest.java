// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static io.tagbahn.client.SimulatedClient.failure;
import static io.tagbahn.client.SimulatedClient.instance;
import static io.tagbahn.client.SimulatedClient.tags;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {

    private static final Instance BOOKS = instance("books", 8080);
    private static final Duration LEASE = InMemoryRegistry.LEASE;
    private static final Duration HEARTBEAT = InMemoryRegistry.HEARTBEAT;

    private final SimulatedClient client = new SimulatedClient(RegistryClientConfig.defaults(), 1, 11);
    private final Events events = new Events();

    /** What a listener was told. */
    private static final class Events implements RegistrationListener {
        private final List<String> told = new ArrayList<>();

        @Override
        public void onRegistered(Registration registration, LeaseGrant grant) {
            told.add("registered");
        }

        @Override
        public void onLost(Registration registration) {
            told.add("lost");
        }

        @Override
        public void onReregistered(Registration registration) {
            told.add("reregistered");
        }

        @Override
        public void onSuperseded(Registration registration) {
            told.add("superseded");
        }

        @Override
        public void onRefused(Registration registration, RegistryException reason) {
            told.add("refused");
        }
    }

    private Registration registered(String... tags) {
        Registration registration = client.keeper.keep(BOOKS, tags(tags), events);
        client.timer.run(Duration.ofMillis(10));
        assertThat(registration.state()).isEqualTo(RegistrationState.REGISTERED);
        return registration;
    }

    private void cut() {
        client.nodes.get(0).down = true;
    }

    private void heal() {
        client.nodes.get(0).down = false;
    }

    private void otherProcessRegisters() {
        long generation = client.registry.generation(BOOKS.id()) + 60_000;
        client.registry.register(new RegisterRequest(
                BOOKS, tags("other"), Optional.empty(), RegisterMode.REPLACE, OptionalLong.of(generation)));
    }

    @Test
    void leaseIsKeptForAsLongAsTheClientRuns() {
        registered("urn:a");
        for (int i = 0; i < 100; i++) {
            client.timer.run(LEASE.dividedBy(2));
            assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:a");
        }
        assertThat(client.registry.registeredAt).hasSize(1);
        assertThat(client.registry.heartbeats).isBetween(150, 190);
        assertThat(events.told).containsExactly("registered");
    }

    @Test
    void registrationThatWasCarriedOutAndIsRepeatedAtOtherNodesIsOneEntry() {
        SimulatedClient own = new SimulatedClient(RegistryClientConfig.defaults(), 3, 5);
        own.nodes.forEach(node -> node.mute = true);
        Registration registration = own.keeper.keep(BOOKS, tags("urn:a"), RegistrationListener.NONE);
        own.timer.run(Duration.ofSeconds(8)); // the first attempts were carried out, and their answers are lost
        assertThat(own.tally.attempts.sum()).isGreaterThan(1);
        assertThat(own.registry.tags(BOOKS.id())).containsExactly("urn:a");
        own.nodes.forEach(node -> node.mute = false);
        own.timer.run(Duration.ofSeconds(30));
        assertThat(registration.state()).isEqualTo(RegistrationState.REGISTERED);
        assertThat(own.registry.tags(BOOKS.id())).containsExactly("urn:a");
        CompletableFuture<Void> ended = own.keeper.deregister(registration.lease(), Duration.ofSeconds(1));
        own.timer.run(Duration.ofSeconds(1));
        assertThat(ended).isCompleted();
        assertThat(own.registry.holds(BOOKS.id())).isFalse();
    }

    @Test
    void allLeasesOfAClientShareOneHeartbeat() {
        for (int i = 0; i < 900; i++) {
            client.keeper.keep(instance("s", 1000 + i), tags(), RegistrationListener.NONE);
        }
        client.timer.run(HEARTBEAT.multipliedBy(10));
        assertThat(client.registry.heartbeats).isBetween(10, 13);
        assertThat(client.registry.entries).hasSize(900);
    }

    @Test
    void leasesBeyondOneCallTakeASecond() {
        for (int i = 0; i <= Heartbeat.LEASES_PER_CALL_MAX; i++) {
            client.keeper.keep(instance("s", 1000 + i), tags(), RegistrationListener.NONE);
        }
        client.timer.run(LEASE.multipliedBy(5));
        assertThat(client.registry.entries).hasSize(Heartbeat.LEASES_PER_CALL_MAX + 1);
        assertThat(client.registry.registeredAt).hasSize(Heartbeat.LEASES_PER_CALL_MAX + 1);
    }

    @Test
    void registrationAfterALapseCarriesTheNewestData() {
        Registration registration = registered("urn:a");
        CompletableFuture<LeaseGrant> update = client.keeper.updateTags(registration.lease(), tags("urn:b"));
        client.timer.run(Duration.ofMillis(10));
        assertThat(update).isCompleted();
        cut();
        client.timer.run(LEASE.plus(HEARTBEAT));
        assertThat(client.registry.holds(BOOKS.id())).isFalse();
        assertThat(registration.state()).isEqualTo(RegistrationState.LOST);
        client.registry.history.clear();
        heal();
        client.timer.run(HEARTBEAT.multipliedBy(2));
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:b");
        assertThat(client.registry.history).allSatisfy(tags -> assertThat(tags).containsExactly("urn:b"));
        assertThat(events.told).containsExactly("registered", "lost", "reregistered");
    }

    @Test
    void updateThatFailedGoesOutAsSoonAsTheRegistryIsBack() {
        Registration registration = registered("urn:a");
        cut();
        CompletableFuture<LeaseGrant> update = client.keeper.updateTags(registration.lease(), tags("urn:b"));
        client.timer.run(Duration.ofSeconds(10));
        assertThat(failure(update)).isInstanceOf(Unreachable.class);
        assertThat(registration.tags()).isEqualTo(tags("urn:b"));
        heal();
        client.timer.run(HEARTBEAT);
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:b");
    }

    @Test
    void registryThatCameBackEmptyGetsEverythingWithinThreeHeartbeats() {
        Map<Integer, SimulatedClient> clients = new HashMap<>();
        InMemoryRegistry registry = client.registry;
        for (int i = 0; i < 100; i++) {
            SimulatedClient one =
                    new SimulatedClient(RegistryClientConfig.defaults(), 1, 1000 + i, client.timer, registry);
            one.keeper.keep(instance("s", 1000 + i), tags("urn:t" + i), RegistrationListener.NONE);
            clients.put(i, one);
        }
        client.timer.run(HEARTBEAT.multipliedBy(3));
        clients.values().forEach(one -> one.nodes.get(0).down = true);
        client.timer.run(HEARTBEAT.multipliedBy(2));
        registry.restartEmpty();
        registry.registeredAt.clear();
        clients.values().forEach(one -> one.nodes.get(0).down = false);
        client.timer.run(HEARTBEAT.multipliedBy(3));
        assertThat(registry.entries).hasSize(100);
        assertThat(perSecond(registry.registeredAt).values())
                .allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(30));
    }

    @Test
    void manyLeasesOfOneClientAreNotRegisteredAgainAtOneTime() {
        IntStream.range(0, 100)
                .forEach(i -> client.keeper.keep(instance("s", 1000 + i), tags(), RegistrationListener.NONE));
        client.timer.run(HEARTBEAT.multipliedBy(2));
        client.registry.restartEmpty();
        client.registry.registeredAt.clear();
        client.timer.run(HEARTBEAT.multipliedBy(3));
        assertThat(client.registry.entries).hasSize(100);
        assertThat(perSecond(client.registry.registeredAt).values())
                .allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(30));
    }

    private static Map<Long, Integer> perSecond(List<Duration> times) {
        Map<Long, Integer> counts = new HashMap<>();
        times.forEach(time -> counts.merge(time.toSeconds(), 1, Integer::sum));
        return counts;
    }

    @Test
    void supersededRegistrationStopsAndDoesNotFight() {
        Registration registration = registered("urn:a");
        otherProcessRegisters();
        client.timer.run(HEARTBEAT);
        assertThat(registration.state()).isEqualTo(RegistrationState.SUPERSEDED);
        assertThat(events.told).containsExactly("registered", "superseded");
        client.timer.run(HEARTBEAT.multipliedBy(5));
        assertThat(client.registry.history).hasSize(2);
        CompletableFuture<LeaseGrant> update = client.keeper.updateTags(registration.lease(), tags("urn:b"));
        CompletableFuture<Void> end = client.keeper.deregister(registration.lease(), Duration.ofSeconds(1));
        client.timer.run(Duration.ofSeconds(1));
        assertThat(failure(update)).isInstanceOf(StaleGeneration.class);
        assertThat(end).isCompleted();
    }

    @Test
    void registrationThatWasSupersededWhileItWasLostStopsAsWell() {
        Registration registration = registered("urn:a");
        client.registry.restartEmpty();
        client.timer.runUntil(HEARTBEAT, () -> registration.state() == RegistrationState.LOST);
        client.registry.register(new RegisterRequest(
                BOOKS,
                tags("other"),
                Optional.empty(),
                RegisterMode.REPLACE,
                OptionalLong.of(registration.grant().orElseThrow().generation() + 1)));
        client.timer.run(HEARTBEAT.multipliedBy(2));
        assertThat(registration.state()).isEqualTo(RegistrationState.SUPERSEDED);
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("other");
    }

    @Test
    void processThatStartsWinsOverWhatIsThereWhateverItsClockSays() {
        client.registry.register(new RegisterRequest(
                BOOKS,
                tags("old"),
                Optional.empty(),
                RegisterMode.REPLACE,
                OptionalLong.of(client.timer.millis() + 200_000)));
        Registration registration = registered("urn:a");
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:a");
        assertThat(registration.grant().orElseThrow().generation())
                .isEqualTo(client.timer.instant().toEpochMilli() - 10 + 200_001);
    }

    @Test
    void instanceThatAnOperatorTookOutComesBackWhileItRuns() {
        registered("urn:a");
        client.registry.deregister(new LeaseRef(BOOKS.id(), 0));
        client.timer.run(HEARTBEAT.multipliedBy(2));
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:a");
    }

    @Test
    void refusedUpdateLeavesWhatWasThere() {
        Registration registration = registered("urn:a");
        client.registry.refusedTags.add("urn:bad");
        CompletableFuture<LeaseGrant> update = client.keeper.updateTags(registration.lease(), tags("urn:b", "urn:bad"));
        client.timer.run(Duration.ofSeconds(1));
        assertThat(failure(update))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("serviceTags[1]"));
        assertThat(registration.tags()).isEqualTo(tags("urn:a"));
        client.timer.run(LEASE.multipliedBy(2));
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:a");
        assertThat(events.told).containsExactly("registered");
    }

    @Test
    void refusedRegistrationEnds() {
        client.nodes.get(0).rejection = Optional.of(new Unauthorized("no"));
        Registration registration = client.keeper.keep(BOOKS, tags(), events);
        client.timer.run(Duration.ofSeconds(60));
        assertThat(registration.state()).isEqualTo(RegistrationState.REFUSED);
        assertThat(events.told).containsExactly("refused");
        assertThat(client.nodes.get(0).calls).hasSize(1);
        client.nodes.get(0).rejection = Optional.empty();
        assertThat(registered("urn:a").state()).isEqualTo(RegistrationState.REGISTERED);
    }

    @Test
    void registryThatComesUpLaterGetsTheRegistration() {
        cut();
        Registration registration = client.keeper.keep(BOOKS, tags("urn:a"), events);
        client.timer.run(Duration.ofMinutes(3));
        assertThat(registration.state()).isEqualTo(RegistrationState.REGISTERING);
        assertThat(client.nodes.get(0).calls.size()).isBetween(100, 400);
        heal();
        client.timer.run(Duration.ofSeconds(6));
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:a");
    }

    @Test
    void nodeThatIsNotReadyIsAskedAgainAfterTheTimeItNames() {
        client.nodes.get(0).rejection = Optional.of(new NotReady("filling", Optional.of(Duration.ofSeconds(20))));
        client.keeper.keep(BOOKS, tags("urn:a"), events);
        client.timer.run(Duration.ofSeconds(20));
        assertThat(client.nodes.get(0).calls).hasSize(1);
        client.nodes.get(0).rejection = Optional.empty();
        client.timer.run(Duration.ofSeconds(1));
        assertThat(client.registry.holds(BOOKS.id())).isTrue();
    }

    @Test
    void longListOfTagsIsSentInPartsOfOneGeneration() {
        List<Tag> tags = IntStream.range(0, 30_001)
                .<Tag>mapToObj(i -> Tag.parse("urn:t:" + i))
                .toList();
        Registration registration = client.keeper.keep(BOOKS, tags, events);
        client.timer.run(Duration.ofMillis(20));
        assertThat(client.registry.history).hasSize(4);
        assertThat(client.registry.tags(BOOKS.id())).hasSize(30_001);
        assertThat(client.registry.generation(BOOKS.id()))
                .isEqualTo(registration.grant().orElseThrow().generation());
    }

    @Test
    void partsAreAllSentAgainWhereOneWasLost() {
        List<Tag> tags = IntStream.range(0, 30_000)
                .<Tag>mapToObj(i -> Tag.parse("urn:t:" + i))
                .toList();
        client.keeper.keep(BOOKS, tags, events);
        client.timer.runUntil(Duration.ofSeconds(1), () -> client.registry.history.size() == 1);
        cut();
        client.timer.run(Duration.ofSeconds(10));
        heal();
        client.timer.run(Duration.ofSeconds(10));
        assertThat(client.registry.tags(BOOKS.id())).hasSize(30_000);
        assertThat(events.told).containsExactly("registered");
    }

    @Test
    void badTagInALaterPartIsToldByItsPlaceInTheWholeList() {
        List<Tag> tags = IntStream.range(0, 20_006)
                .<Tag>mapToObj(i -> Tag.parse("urn:t:" + i))
                .toList();
        client.registry.refusedTags.add("urn:t:20005");
        Registration registration = client.keeper.keep(BOOKS, tags, events);
        client.timer.run(Duration.ofSeconds(1));
        assertThat(failure(registration.firstAnswer()))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("serviceTags[20005]"));
    }

    @Test
    void failedTriesDoNotEndTheWaitForTheFirstGrant() {
        cut();
        Registration registration = client.keeper.keep(BOOKS, tags("urn:a"), events);
        client.timer.run(Duration.ofMinutes(2));
        assertThat(failure(registration.firstAnswer())).isInstanceOf(Unreachable.class);
        assertThat(registration.firstGrant()).isNotDone();
        heal();
        client.timer.run(Duration.ofSeconds(6));
        assertThat(registration.firstGrant()).isCompleted();
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:a");
    }

    @Test
    void registrationThatEndsUngrantedEndsTheWaitForTheFirstGrant() {
        cut();
        Registration registration = client.keeper.keep(BOOKS, tags("urn:a"), events);
        client.timer.run(Duration.ofSeconds(20));
        CompletableFuture<Void> closed = client.keeper.close(Duration.ofSeconds(1));
        client.timer.run(Duration.ofSeconds(2));
        assertThat(closed).isDone();
        assertThat(failure(registration.firstGrant())).isInstanceOf(Unreachable.class);
    }

    @Test
    void deregistrationWinsOverTheRegisteringCallThatItOvertakes() {
        Registration registration = registered("urn:a");
        client.nodes.get(0).delayMax = Duration.ofSeconds(8);
        CompletableFuture<LeaseGrant> update = client.keeper.updateTags(registration.lease(), tags("urn:b"));
        client.timer.run(Duration.ofNanos(1));
        client.nodes.get(0).delayMax = Duration.ofMillis(1);
        CompletableFuture<Void> end = client.keeper.deregister(registration.lease(), Duration.ofSeconds(1));
        client.timer.run(LEASE.multipliedBy(2));
        assertThat(end).isCompleted();
        assertThat(failure(update)).isInstanceOf(Unreachable.class);
        assertThat(client.registry.holds(BOOKS.id())).isFalse();
        assertThat(registration.state()).isEqualTo(RegistrationState.CLOSED);
    }

    @Test
    void closingDeregistersAllAndThenTakesNothingMore() {
        for (int i = 0; i < 2 * LeaseKeeper.DEREGISTERING_MAX + 1; i++) {
            client.keeper.keep(instance("s", 1000 + i), tags("urn:t"), RegistrationListener.NONE);
        }
        client.timer.run(HEARTBEAT);
        CompletableFuture<Void> closed = client.keeper.close(Duration.ofSeconds(2));
        client.timer.run(Duration.ofMillis(100));
        assertThat(closed).isCompleted();
        assertThat(client.registry.entries).isEmpty();
        assertThatThrownBy(() -> client.keeper.keep(BOOKS, tags(), events)).isInstanceOf(Unreachable.class);
        client.timer.run(LEASE);
        assertThat(client.registry.entries).isEmpty();
    }

    @Test
    void closingEndsInTimeWhereTheRegistryHangs() {
        registered("urn:a");
        client.nodes.get(0).hung = true;
        CompletableFuture<Void> closed = client.keeper.close(Duration.ofSeconds(2));
        client.timer.run(Duration.ofSeconds(2));
        assertThat(closed).isCompleted();
    }

    @Test
    void registrationsHaveAMaximum() {
        SimulatedClient small = new SimulatedClient(
                RegistryClientConfig.defaults().withLease(LeaseConfig.defaults().withRegistrationsMax(2)), 1, 3);
        Registration first = small.keeper.keep(instance("a", 1), tags(), RegistrationListener.NONE);
        small.keeper.keep(instance("b", 1), tags(), RegistrationListener.NONE);
        assertThatThrownBy(() -> small.keeper.keep(instance("c", 1), tags(), RegistrationListener.NONE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 registrations");
        CompletableFuture<Void> end = small.keeper.deregister(first.lease(), Duration.ofSeconds(1));
        small.timer.run(Duration.ofSeconds(1));
        assertThat(end).isCompleted();
        assertThat(small.keeper.keep(instance("c", 1), tags(), RegistrationListener.NONE))
                .isNotNull();
    }

    @Test
    void sameInstanceIsKeptOnceAtATime() {
        Registration registration = registered("urn:a");
        assertThatThrownBy(() -> client.keeper.keep(BOOKS, tags(), events)).isInstanceOf(IllegalStateException.class);
        CompletableFuture<Void> end = client.keeper.deregister(registration.lease(), Duration.ofSeconds(1));
        client.timer.run(Duration.ofMillis(10));
        assertThat(end).isCompleted();
        registered("urn:b");
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:b");
    }

    @Test
    void updatesThatWaitHaveAMaximum() {
        Registration registration = registered("urn:a");
        client.nodes.get(0).hung = true;
        List<CompletableFuture<LeaseGrant>> updates = new ArrayList<>();
        for (int i = 0; i <= KeptLease.UPDATES_WAITING_MAX; i++) {
            updates.add(client.keeper.updateTags(registration.lease(), tags("urn:" + i)));
        }
        client.timer.run(Duration.ofMillis(1));
        assertThat(updates.subList(0, KeptLease.UPDATES_WAITING_MAX)).noneMatch(CompletableFuture::isDone);
        assertThat(updates.get(KeptLease.UPDATES_WAITING_MAX)).isCompletedExceptionally();
        client.nodes.get(0).hung = false;
        client.timer.run(Duration.ofSeconds(30));
        assertThat(client.registry.tags(BOOKS.id())).containsExactly("urn:" + (KeptLease.UPDATES_WAITING_MAX - 1));
    }

    @Test
    void listenerThatThrowsStopsNothing() {
        Registration registration = client.keeper.keep(BOOKS, tags("urn:a"), new RegistrationListener() {
            @Override
            public void onRegistered(Registration registered, LeaseGrant grant) {
                throw new IllegalStateException("on purpose");
            }
        });
        client.timer.run(LEASE.multipliedBy(2));
        assertThat(registration.state()).isEqualTo(RegistrationState.REGISTERED);
        assertThat(client.registry.holds(BOOKS.id())).isTrue();
    }
}
