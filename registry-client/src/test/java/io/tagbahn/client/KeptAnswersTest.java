// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptAnswersTest {

    private static final Duration INTERVAL = Duration.ofSeconds(4);
    private static final KeptConfig ASKING = KeptConfig.defaults();
    private static final KeptConfig REMEMBERING = ASKING.withRefreshEvery(INTERVAL);
    private static final Question.Named BOOKS = new Question.Named(new ServiceName("books"));

    private static SimulatedClient client(KeptConfig kept) {
        SimulatedClient client =
                new SimulatedClient(RegistryClientConfig.defaults().withKept(kept), 3, 11);
        hosts(client, 1, 2);
        return client;
    }

    private static void hosts(SimulatedClient client, int... ports) {
        List<Instance> instances = IntStream.of(ports)
                .mapToObj(port -> SimulatedClient.instance("books", port))
                .toList();
        client.nodes.forEach(node -> node.hosts = () -> instances);
    }

    private static void degraded(SimulatedClient client, boolean degraded) {
        client.nodes.forEach(node -> node.degraded = degraded);
    }

    private static void down(SimulatedClient client, boolean down) {
        client.nodes.forEach(node -> node.down = down);
    }

    private static void rejecting(SimulatedClient client, Optional<RegistryException> rejection) {
        client.nodes.forEach(node -> node.rejection = rejection);
    }

    private static int lookups(SimulatedClient client) {
        return client.nodes.stream().mapToInt(node -> node.lookups).sum();
    }

    private static CompletableFuture<ServicePeers> ask(SimulatedClient client) {
        CompletableFuture<ServicePeers> answer = client.kept.answer(BOOKS);
        for (int i = 0; i < 1_200 && !answer.isDone(); i++) {
            client.timer.run(Duration.ofMillis(1));
        }
        return answer;
    }

    private static void fill(SimulatedClient client) {
        assertThat(ask(client)).isDone();
    }

    private static void begin(SimulatedClient client, String name) {
        assertThat(client.kept.answer(new Question.Named(new ServiceName(name))))
                .isNotNull();
    }

    private static List<Integer> ports(CompletableFuture<ServicePeers> answer) {
        return answer.join().instances().stream()
                .map(instance -> instance.address().port())
                .sorted()
                .toList();
    }

    // ------------------------------------------------------------ each call asks

    @Test
    void whereTheRegistryIsGoneTheLastGoodAnswerStandsInWithItsAge() {
        SimulatedClient client = client(ASKING);
        assertThat(ask(client).join().freshness().stale()).isFalse();
        client.timer.run(Duration.ofSeconds(60));
        down(client, true);
        ServicePeers stale = ask(client).join();
        assertThat(stale.instances()).hasSize(2);
        assertThat(stale.degraded()).isTrue();
        assertThat(stale.freshness().stale()).isTrue();
        assertThat(stale.freshness().age()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(62));
        assertThat(client.tally.staleAnswers.sum()).isEqualTo(1);
    }

    @Test
    void whatTheRegistryRejectsOrAnswersWrongIsNoWordOnTheHostsEither() {
        SimulatedClient client = client(ASKING);
        fill(client);
        for (RegistryException failure : List.of(
                new Overloaded("busy", Signal.STOP, Optional.empty()), new RegistryFault("neither value nor error"))) {
            rejecting(client, Optional.of(failure));
            assertThat(ask(client).join().freshness().stale())
                    .as(failure.toString())
                    .isTrue();
        }
    }

    @Test
    void mistakesOfTheCallerAreNotAnsweredFromMemory() {
        SimulatedClient client = client(ASKING);
        fill(client);
        InvalidArgument refusal = new InvalidArgument("serviceName", "is none");
        rejecting(client, Optional.of(refusal));
        assertThat(SimulatedClient.failure(ask(client))).isSameAs(refusal);
    }

    @Test
    void withNothingKeptTheFailureIsTold() {
        SimulatedClient client = client(ASKING);
        down(client, true);
        assertThat(SimulatedClient.failure(ask(client))).isInstanceOf(Unreachable.class);
        assertThat(client.kept.size()).isZero();
        SimulatedClient without = client(ASKING.none());
        fill(without);
        down(without, true);
        assertThat(SimulatedClient.failure(ask(without))).isInstanceOf(Unreachable.class);
    }

    @Test
    void theRegistrysWordThatThereIsNobodyReplacesWhatIsKept() {
        SimulatedClient client = client(ASKING);
        fill(client);
        hosts(client);
        assertThat(SimulatedClient.failure(ask(client))).isInstanceOf(NoPeersAvailable.class);
        down(client, true);
        assertThat(SimulatedClient.failure(ask(client))).isInstanceOf(Unreachable.class);
    }

    @Test
    void aRegistryThatComesBackEmptyIsNotBelievedUntilServicesHaveHadTheTimeToRegister() {
        SimulatedClient client = client(ASKING);
        fill(client);
        down(client, true);
        fill(client);
        down(client, false);
        hosts(client);
        assertThat(ports(ask(client))).containsExactly(1, 2);
        hosts(client, 3);
        ServicePeers both = ask(client).join();
        assertThat(both.degraded()).isTrue();
        assertThat(ports(CompletableFuture.completedFuture(both))).containsExactly(1, 2, 3);
        hosts(client, 1, 2, 3);
        assertThat(ask(client).join().degraded()).as("all are back").isFalse();
        hosts(client);
        client.timer.run(ASKING.refillTime());
        assertThat(SimulatedClient.failure(ask(client))).isInstanceOf(NoPeersAvailable.class);
    }

    @Test
    void anIncompleteAnswerIsNotKeptInPlaceOfACompleteOne() {
        SimulatedClient client = client(ASKING);
        fill(client);
        degraded(client, true);
        hosts(client, 2, 3);
        assertThat(ports(ask(client))).containsExactly(1, 2, 3);
        down(client, true);
        assertThat(ports(ask(client))).containsExactly(1, 2);
    }

    @Test
    void anIncompleteAnswerThatLacksNothingIsKept() {
        SimulatedClient client = client(ASKING);
        fill(client);
        degraded(client, true);
        hosts(client, 1, 2, 3);
        assertThat(ports(ask(client))).containsExactly(1, 2, 3);
        down(client, true);
        assertThat(ports(ask(client))).containsExactly(1, 2, 3);
    }

    @Test
    void incompleteAnswersThatStayIncompleteAreBelievedInTime() {
        SimulatedClient client = client(ASKING);
        fill(client);
        degraded(client, true);
        hosts(client, 2);
        assertThat(ports(ask(client))).containsExactly(1, 2);
        client.timer.run(ASKING.refillTime());
        assertThat(ports(ask(client))).containsExactly(2);
    }

    // ------------------------------------------------------------ room

    @Test
    void pastTheirNumberThoseUsedLongestAgoGo() {
        SimulatedClient client = client(ASKING.withMax(3, 1 << 20));
        for (String name : List.of("a", "b", "c", "a", "d")) {
            begin(client, name);
            client.timer.run(Duration.ofMillis(10));
        }
        down(client, true);
        for (String name : List.of("a", "c", "d")) {
            CompletableFuture<ServicePeers> answer = client.kept.answer(new Question.Named(new ServiceName(name)));
            client.timer.run(Duration.ofSeconds(1));
            assertThat(answer).as(name).isCompleted();
        }
        CompletableFuture<ServicePeers> gone = client.kept.answer(new Question.Named(new ServiceName("b")));
        client.timer.run(Duration.ofSeconds(1));
        assertThat(gone).isCompletedExceptionally();
    }

    @Test
    void theirBytesAreBoundedAsWell() {
        SimulatedClient client = client(ASKING.withMax(1_000, 20_000));
        for (int i = 0; i < 100; i++) {
            begin(client, "s" + i);
            client.timer.run(Duration.ofMillis(10));
        }
        assertThat(client.kept.bytes()).isBetween(15_000L, 20_000L);
        assertThat(client.kept.size()).isBetween(8, 12);
    }

    // ------------------------------------------------------------ from memory

    @Test
    void theLoadDoesNotDependOnHowOftenIsAsked() {
        int[] lookups = new int[2];
        for (int often = 0; often < 2; often++) {
            SimulatedClient client = client(REMEMBERING);
            fill(client);
            for (int i = 0; i < 400; i++) {
                for (int asked = 0; asked < (often == 0 ? 1 : 1_000); asked++) {
                    assertThat(client.kept.answer(BOOKS)).isCompleted();
                }
                client.timer.run(Duration.ofMillis(100));
            }
            lookups[often] = lookups(client);
        }
        assertThat(lookups[0]).isEqualTo(lookups[1]).isBetween(10, 14);
    }

    @Test
    void callsThatComeTogetherAskOnce() {
        SimulatedClient client = client(REMEMBERING);
        List<CompletableFuture<ServicePeers>> answers =
                IntStream.range(0, 100).mapToObj(i -> client.kept.answer(BOOKS)).toList();
        client.timer.run(Duration.ofMillis(10));
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
        assertThat(lookups(client)).isEqualTo(1);
    }

    @Test
    void changesShowWithinAnInterval() {
        SimulatedClient client = client(REMEMBERING);
        fill(client);
        hosts(client, 7);
        client.timer.run(INTERVAL.plusMillis(10));
        assertThat(ports(client.kept.answer(BOOKS))).containsExactly(7);
        assertThat(client.kept.answer(BOOKS).join().freshness().stale()).isFalse();
    }

    @Test
    void thatThereIsNobodyIsRememberedAsWell() {
        SimulatedClient client = client(REMEMBERING);
        hosts(client);
        fill(client);
        for (int i = 0; i < 100; i++) {
            assertThat(SimulatedClient.failure(client.kept.answer(BOOKS))).isInstanceOf(NoPeersAvailable.class);
        }
        assertThat(lookups(client)).isEqualTo(1);
        hosts(client, 5);
        client.timer.run(INTERVAL.plusMillis(10));
        assertThat(ports(client.kept.answer(BOOKS))).containsExactly(5);
    }

    @Test
    void whatIsNotAskedForAnyMoreIsNotRefreshedAndAskedForAnewWhereItIs() {
        SimulatedClient client = client(REMEMBERING.withIdleAfter(Duration.ofSeconds(20)));
        fill(client);
        client.timer.run(Duration.ofSeconds(30));
        int before = lookups(client);
        client.timer.run(Duration.ofMinutes(10));
        assertThat(lookups(client)).isEqualTo(before);
        hosts(client, 9);
        assertThat(ports(ask(client))).containsExactly(9);
        client.timer.run(INTERVAL.plusMillis(10));
        assertThat(lookups(client)).isGreaterThan(before + 1);
    }

    /** One refresh goes wrong, in one way or another, while the list changes: the new one shows in time. */
    @Test
    void afterARefreshThatFailedFurtherOnesAreTried() {
        List<RegistryException> failures = List.of(
                new Overloaded("busy", Signal.TRY_ELSEWHERE, Optional.empty()),
                new Overloaded("busy", Signal.STOP, Optional.empty()),
                new Unreachable("refused"),
                new RegistryFault("malformed"),
                new InvalidArgument("serviceName", "a node is confused"));
        for (RegistryException failure : failures) {
            SimulatedClient client = client(REMEMBERING);
            fill(client);
            rejecting(client, Optional.of(failure));
            long refreshes = client.tally.refreshes.sum();
            client.timer.runUntil(INTERVAL.plusMillis(10), () -> client.tally.refreshes.sum() > refreshes);
            client.timer.run(Duration.ofMillis(200));
            assertThat(ports(client.kept.answer(BOOKS))).as(failure.toString()).containsExactly(1, 2);
            rejecting(client, Optional.empty());
            hosts(client, 3);
            client.timer.run(INTERVAL.plusMillis(10));
            assertThat(client.kept.answer(BOOKS).join().instances())
                    .as(failure.toString())
                    .extracting(instance -> instance.address().port())
                    .contains(3);
        }
    }

    @Test
    void afterARefreshThatTimedOutFurtherOnesAreTried() {
        SimulatedClient client = client(REMEMBERING);
        fill(client);
        client.nodes.forEach(node -> node.hung = true);
        long refreshes = client.tally.refreshes.sum();
        client.timer.runUntil(INTERVAL.plusMillis(10), () -> client.tally.refreshes.sum() > refreshes);
        client.timer.run(Duration.ofSeconds(1));
        client.nodes.forEach(node -> node.hung = false);
        hosts(client, 1, 2, 3);
        client.timer.run(INTERVAL.plusMillis(10));
        assertThat(ports(client.kept.answer(BOOKS))).containsExactly(1, 2, 3);
    }

    @Test
    void whileTheRegistryIsGoneItIsAskedNoMoreOftenThanBefore() {
        SimulatedClient client = client(REMEMBERING);
        fill(client);
        down(client, true);
        for (int i = 0; i < 600; i++) {
            assertThat(client.kept.answer(BOOKS).join().instances()).hasSize(2);
            client.timer.run(Duration.ofMillis(100));
        }
        assertThat(client.tally.refreshes.sum()).isBetween(12L, 22L);
        assertThat(client.kept.answer(BOOKS).join().freshness().stale()).isTrue();
        down(client, false);
        client.timer.run(INTERVAL.plusSeconds(1));
        assertThat(client.kept.answer(BOOKS).join().freshness().stale()).isFalse();
    }

    @Test
    void whatTheRegistryHasNotConfirmedIsMarkedAlsoWhereItCanBeAsked() {
        SimulatedClient client = client(REMEMBERING);
        fill(client);
        down(client, true);
        client.timer.run(INTERVAL.plusMillis(10));
        down(client, false);
        hosts(client);
        client.timer.run(INTERVAL.plusMillis(10));
        ServicePeers standingIn = client.kept.answer(BOOKS).join();
        assertThat(standingIn.instances()).hasSize(2);
        assertThat(standingIn.freshness().stale()).isTrue();
        assertThat(standingIn.degraded()).isTrue();
        hosts(client, 1, 2);
        client.timer.run(INTERVAL.plusMillis(10));
        assertThat(client.kept.answer(BOOKS).join().freshness().stale()).isFalse();
    }

    @Test
    void nothingIsAskedAfterTheEnd() {
        SimulatedClient client = client(REMEMBERING);
        fill(client);
        client.closed = true;
        client.timer.run(INTERVAL.multipliedBy(2));
        assertThat(lookups(client)).isEqualTo(1);
    }
}
