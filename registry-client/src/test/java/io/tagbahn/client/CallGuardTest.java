// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CallGuardTest {

    private static final long SEED = 7;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static SimulatedClient client(int nodes) {
        return new SimulatedClient(
                RegistryClientConfig.defaults().withCaller("shop").withToken("secret"), nodes, SEED);
    }

    private static CompletableFuture<List<String>> ask(SimulatedClient client) {
        return ask(client, Criticality.CRITICAL);
    }

    private static CompletableFuture<List<String>> ask(SimulatedClient client, Criticality criticality) {
        return client.guard.call(TIMEOUT, criticality, (node, context) -> node.owners("tag", context));
    }

    /** A call of which the answer doesn't matter. */
    private static void begin(SimulatedClient client, Criticality criticality) {
        assertThat(ask(client, criticality)).isNotNull();
    }

    private static Optional<RegistryException> overloaded(Signal signal, Duration retryAfter) {
        return Optional.of(new Overloaded("busy", signal, Optional.of(retryAfter)));
    }

    private static List<CallContext> allCalls(SimulatedClient client) {
        return client.nodes.stream().flatMap(node -> node.calls.stream()).toList();
    }

    @Test
    void unreachableNodesAreFollowedByOneThatAnswers() {
        SimulatedClient client = client(3);
        client.nodes.get(0).down = true;
        client.nodes.get(2).down = true;
        for (int i = 0; i < 10; i++) {
            CompletableFuture<List<String>> answer = ask(client);
            client.timer.run(Duration.ofMillis(10));
            assertThat(answer).isCompletedWithValue(List.of("10.0.0.2:21300"));
        }
    }

    @Test
    void whatTheClientSaysOfItselfTravelsWithTheAttemptAndTheTimeLeft() {
        SimulatedClient client = client(2);
        client.nodes.forEach(node -> node.rejection = Optional.of(new NotReady("starting", Optional.empty())));
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(TIMEOUT);
        assertThat(SimulatedClient.failure(answer)).isInstanceOf(NotReady.class);
        assertThat(allCalls(client))
                .hasSize(3)
                .allSatisfy(context -> {
                    assertThat(context.caller()).contains("shop");
                    assertThat(context.token()).contains("secret");
                    assertThat(context.criticality()).isEqualTo(Criticality.CRITICAL);
                    assertThat(context.deadline().orElseThrow()).isLessThanOrEqualTo(TIMEOUT);
                })
                .extracting(CallContext::attempt)
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void nodeThatHangsCostsHalfOfTheDeadline() {
        SimulatedClient client = client(2);
        client.nodes.get(0).hung = true;
        for (int i = 0; i < 4; i++) {
            CompletableFuture<List<String>> answer = ask(client);
            client.timer.run(Duration.ofMillis(510));
            assertThat(answer).isCompletedWithValue(List.of("10.0.0.2:21300"));
        }
    }

    @Test
    void onlyNodeHasTheWholeDeadline() {
        SimulatedClient client = client(1);
        client.nodes.get(0).hung = true;
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(TIMEOUT.minusMillis(1));
        assertThat(answer).isNotDone();
        client.timer.run(Duration.ofMillis(1));
        assertThat(SimulatedClient.failure(answer)).isInstanceOf(OutcomeUnknown.class);
        assertThat(client.nodes.get(0).calls).hasSize(1);
    }

    @Test
    void callThatMayHaveBeenCarriedOutDoesNotEndAsUnreachable() {
        SimulatedClient client = client(2);
        client.nodes.get(0).hung = true;
        client.nodes.get(1).hung = true;
        CompletableFuture<List<String>> answer = ask(client);
        client.nodes.forEach(node -> node.down = true);
        client.timer.run(TIMEOUT);
        assertThat(SimulatedClient.failure(answer))
                .isInstanceOf(OutcomeUnknown.class)
                .hasCauseInstanceOf(Unreachable.class);
    }

    @Test
    void answersOfTheRegistryAreFinal() {
        SimulatedClient client = client(3);
        InvalidArgument refusal = new InvalidArgument("tag", "is none");
        client.nodes.forEach(node -> node.rejection = Optional.of(refusal));
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(TIMEOUT);
        assertThat(SimulatedClient.failure(answer)).isSameAs(refusal);
        assertThat(allCalls(client)).hasSize(1);
    }

    @Test
    void busyNodeThatSaysStopIsObeyed() {
        SimulatedClient client = client(3);
        client.nodes.forEach(
                node -> node.rejection = Optional.of(new Overloaded("quota", Signal.STOP, Optional.empty())));
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(TIMEOUT);
        assertThat(SimulatedClient.failure(answer)).isInstanceOf(Overloaded.class);
        assertThat(allCalls(client)).hasSize(1);
    }

    @Test
    void busyRegistryIsLeftAloneForTheTimeItAsksFor() {
        SimulatedClient client = client(3);
        Duration wait = Duration.ofMillis(400);
        client.nodes.forEach(
                node -> node.rejection = Optional.of(new Overloaded("busy", Signal.RETRY_AFTER, Optional.of(wait))));
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(wait);
        assertThat(allCalls(client)).hasSize(1);
        client.nodes.forEach(node -> node.rejection = Optional.empty());
        client.timer.run(Duration.ofMillis(100));
        assertThat(answer).isCompletedWithValueMatching(owners -> owners.size() == 1);
        assertThat(allCalls(client)).hasSize(2);
    }

    @Test
    void waitThatEndsBehindTheDeadlineIsNotBegun() {
        SimulatedClient client = client(1);
        client.nodes.get(0).rejection =
                Optional.of(new Overloaded("busy", Signal.RETRY_AFTER, Optional.of(Duration.ofMinutes(1))));
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(Duration.ofMillis(10));
        assertThat(SimulatedClient.failure(answer)).isInstanceOf(Overloaded.class);
    }

    @Test
    void busyNodeSendsTheCallElsewhere() {
        SimulatedClient client = client(2);
        client.nodes.get(0).rejection = Optional.of(new Overloaded("busy", Signal.TRY_ELSEWHERE, Optional.empty()));
        for (int i = 0; i < 4; i++) {
            CompletableFuture<List<String>> answer = ask(client);
            client.timer.run(Duration.ofMillis(10));
            assertThat(answer).isCompletedWithValue(List.of("10.0.0.2:21300"));
        }
    }

    @Test
    void attemptsEndAtTheirMaximum() {
        SimulatedClient client = client(5);
        client.nodes.forEach(node -> node.down = true);
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(TIMEOUT);
        assertThat(SimulatedClient.failure(answer)).isInstanceOf(Unreachable.class);
        assertThat(allCalls(client)).hasSize(3);
    }

    @Test
    void nodeThatFailedIsAvoidedForAWhile() {
        SimulatedClient client = client(2);
        client.nodes.get(0).down = true;
        for (int i = 0; i < 20; i++) {
            CompletableFuture<List<String>> answer = ask(client);
            client.timer.run(Duration.ofMillis(10));
            assertThat(answer).isCompleted();
        }
        assertThat(client.nodes.get(0).calls).hasSizeLessThanOrEqualTo(1);
        client.nodes.get(0).down = false;
        client.timer.run(Duration.ofSeconds(2));
        for (int i = 0; i < 4; i++) {
            CompletableFuture<List<String>> answer = ask(client);
            client.timer.run(Duration.ofMillis(10));
            assertThat(answer).isCompleted();
        }
        assertThat(client.nodes.get(0).calls).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void callsGoToTheNodeWithTheFewestPending() {
        SimulatedClient client = client(3);
        client.nodes.get(1).hung = true;
        List<CompletableFuture<List<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            answers.add(ask(client));
            client.timer.run(Duration.ofMillis(5));
        }
        assertThat(answers.stream().filter(CompletableFuture::isDone)).hasSize(29);
        assertThat(client.nodes.get(1).calls).hasSize(1);
        assertThat(client.nodes.get(0).calls.size()).isBetween(8, 21);
    }

    @Test
    void closingFailsTheCallsThatWait() {
        SimulatedClient client = client(1);
        client.nodes.get(0).rejection =
                Optional.of(new Overloaded("busy", Signal.RETRY_AFTER, Optional.of(Duration.ofMillis(500))));
        CompletableFuture<List<String>> answer = ask(client);
        client.timer.run(Duration.ofMillis(10));
        assertThat(answer).isNotDone();
        client.guard.close();
        assertThat(SimulatedClient.failure(answer)).isInstanceOf(Unreachable.class);
        assertThat(SimulatedClient.failure(ask(client))).isInstanceOf(Unreachable.class);
    }

    // ------------------------------------------------------------ what others were told

    @Test
    void callsOfOthersWaitAsWellForTheTimeThatTheRegistryAsksFor() {
        SimulatedClient client = client(2);
        client.nodes.forEach(node -> node.rejection = overloaded(Signal.RETRY_AFTER, Duration.ofMillis(400)));
        CompletableFuture<List<String>> first = ask(client, Criticality.NORMAL);
        client.timer.run(Duration.ofMillis(5));
        client.nodes.forEach(node -> node.rejection = Optional.empty());
        List<CompletableFuture<List<String>>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(ask(client, Criticality.NORMAL));
            others.add(ask(client, Criticality.SHEDDABLE));
        }
        client.timer.run(Duration.ofMillis(390));
        assertThat(allCalls(client)).hasSize(1);
        client.timer.run(Duration.ofMillis(110));
        assertThat(others).allSatisfy(answer -> assertThat(answer).isCompleted());
        assertThat(first).isCompleted();
        assertThat(client.tally.held.sum()).isEqualTo(40);
    }

    @Test
    void callsThatAreMoreCriticalThanTheRejectedOneDoNotWait() {
        SimulatedClient client = client(1);
        client.nodes.get(0).rejection = overloaded(Signal.RETRY_AFTER, Duration.ofMillis(400));
        begin(client, Criticality.NORMAL);
        client.timer.run(Duration.ofMillis(5));
        client.nodes.get(0).rejection = Optional.empty();
        CompletableFuture<List<String>> lease = ask(client, Criticality.CRITICAL);
        client.timer.run(Duration.ofMillis(5));
        assertThat(lease).isCompleted();
    }

    @Test
    void callsThatHaveLessTimeThanTheRegistryAsksForFailAtOnce() {
        SimulatedClient client = client(1);
        client.nodes.get(0).rejection = overloaded(Signal.RETRY_AFTER, Duration.ofSeconds(5));
        begin(client, Criticality.NORMAL);
        client.timer.run(Duration.ofMillis(5));
        Throwable failure = SimulatedClient.failure(ask(client, Criticality.NORMAL));
        assertThat(failure).isInstanceOfSatisfying(Overloaded.class, e -> {
            assertThat(e.signal()).isEqualTo(Signal.RETRY_AFTER);
            assertThat(e.retryAfter().orElseThrow()).isBetween(Duration.ofMillis(4_900), Duration.ofSeconds(5));
        });
        assertThat(allCalls(client)).hasSize(1);
        assertThat(client.tally.heldBack.sum()).isEqualTo(1);
    }

    @Test
    void timeThatIsAskedForIsBoundedForOtherCalls() {
        SimulatedClient client = client(1);
        client.nodes.get(0).rejection = overloaded(Signal.RETRY_AFTER, Duration.ofHours(1));
        begin(client, Criticality.NORMAL);
        client.timer.run(Duration.ofMillis(5));
        client.nodes.get(0).rejection = Optional.empty();
        client.timer.run(Holds.MAX);
        CompletableFuture<List<String>> answer = ask(client, Criticality.NORMAL);
        client.timer.run(Duration.ofMillis(5));
        assertThat(answer).isCompleted();
    }

    @Test
    void moreCallsThanMayWaitFailAtOnce() {
        SimulatedClient client = client(1);
        client.nodes.get(0).rejection = overloaded(Signal.RETRY_AFTER, Duration.ofMillis(400));
        begin(client, Criticality.NORMAL);
        client.timer.run(Duration.ofMillis(5));
        client.nodes.get(0).rejection = Optional.empty();
        List<CompletableFuture<List<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < CallGuard.HELD_MAX; i++) {
            waiting.add(ask(client, Criticality.NORMAL));
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(SimulatedClient.failure(ask(client, Criticality.NORMAL))).isInstanceOf(Overloaded.class);
        client.timer.run(Duration.ofMillis(600));
        assertThat(waiting).allMatch(CompletableFuture::isDone);
        client.nodes.get(0).rejection = overloaded(Signal.RETRY_AFTER, Duration.ofMillis(400));
        begin(client, Criticality.NORMAL);
        client.timer.run(Duration.ofMillis(5));
        for (int i = 0; i < CallGuard.HELD_MAX; i++) {
            assertThat(ask(client, Criticality.NORMAL))
                    .as("there is room again")
                    .isNotDone();
        }
    }

    // ------------------------------------------------------------ budget and throttle

    @Test
    void repetitionsOfAllCallsTogetherStayWithinTheBudget() {
        SimulatedClient client = client(3);
        client.nodes.forEach(node -> node.down = true);
        int calls = 2_000;
        for (int i = 0; i < calls; i++) {
            begin(client, Criticality.CRITICAL);
        }
        client.timer.run(TIMEOUT);
        assertThat(client.tally.attempts.sum()).isBetween(calls + 400L, calls + calls / 5 + 100L);
        assertThat(client.tally.retriesRefused.sum()).isGreaterThan(1_000);
        assertThat(client.tally.failed.sum()).isEqualTo(calls);
    }

    @Test
    void ofCallsRejectedForOverloadAFifthIsRepeatedAtMost() {
        SimulatedClient client = client(3);
        client.nodes.forEach(node -> node.rejection = overloaded(Signal.TRY_ELSEWHERE, Duration.ofMillis(1)));
        int calls = 1_000;
        for (int i = 0; i < calls; i++) {
            begin(client, Criticality.CRITICAL);
        }
        client.timer.run(TIMEOUT);
        assertThat(client.tally.attempts.sum()).isBetween(1_150L, 1_200L);
    }

    @Test
    void refreshesAreRepeatedOnlyWhereANodeIsKnownToBeFine() {
        SimulatedClient client = client(3);
        client.nodes.forEach(node -> node.down = true);
        for (int i = 0; i < 30; i++) {
            assertThat(client.guard.refresh((node, context) -> node.owners("tag", context)))
                    .isNotNull();
            client.timer.run(Duration.ofMillis(300));
        }
        // At first the others were not known to be down.
        assertThat(client.tally.attempts.sum()).isBetween(30L, 34L);
        client.nodes.get(0).down = false;
        client.nodes.get(1).down = false;
        int failed = 0;
        for (int i = 0; i < 30; i++) {
            CompletableFuture<List<String>> answer =
                    client.guard.refresh((node, context) -> node.owners("tag", context));
            client.timer.run(Duration.ofMillis(300));
            failed += answer.isCompletedExceptionally() ? 1 : 0;
        }
        assertThat(failed).isLessThanOrEqualTo(2);
    }

    @Test
    void whereMostCallsAreRejectedTheClientRejectsThemItselfButNeverLeases() {
        SimulatedClient client = client(1);
        client.nodes.get(0).rejection = Optional.of(new Overloaded("quota", Signal.STOP, Optional.empty()));
        for (int i = 0; i < 500; i++) {
            begin(client, Criticality.NORMAL);
            begin(client, Criticality.CRITICAL);
            client.timer.run(Duration.ofMillis(4));
        }
        assertThat(client.tally.throttled.sum()).isBetween(400L, 498L);
        assertThat(allCalls(client).stream().filter(call -> call.criticality() == Criticality.CRITICAL))
                .hasSize(500);
        client.nodes.get(0).rejection = Optional.empty();
        long before = client.tally.throttled.sum();
        for (int i = 0; i < 1_000; i++) {
            begin(client, Criticality.NORMAL);
            client.timer.run(Duration.ofMillis(4));
        }
        long throttledAfter = client.tally.throttled.sum() - before;
        assertThat(throttledAfter)
                .as("until the registry was seen to accept again")
                .isLessThan(800);
        before = client.tally.throttled.sum();
        for (int i = 0; i < 100; i++) {
            begin(client, Criticality.NORMAL);
            client.timer.run(Duration.ofMillis(4));
        }
        assertThat(client.tally.throttled.sum()).isEqualTo(before);
    }
}
