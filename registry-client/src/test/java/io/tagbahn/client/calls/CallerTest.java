// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Instance;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CallerTest {

    private static final RetryConfig AT_ONCE =
            RetryConfig.defaults().withBackoff(Duration.ofMillis(1), Duration.ofMillis(1));

    private final SteppedTime time = new SteppedTime(-5);
    private final TestingHosts list = new TestingHosts();
    private final List<CallEvent> events = new ArrayList<>();
    private final List<CalledHost> asked = new ArrayList<>();

    private Caller caller(CallerConfig config) {
        return list.caller(config, time, new Random(1), events::add);
    }

    private Caller callerOf(int hosts, CallerConfig config) {
        Caller caller = caller(config);
        list.list(TestingHosts.hosts(hosts));
        return caller;
    }

    private <T> CompletableFuture<T> failing(CalledHost host, Throwable error) {
        asked.add(host);
        return CompletableFuture.failedFuture(error);
    }

    private CompletableFuture<String> answering(CalledHost host) {
        asked.add(host);
        return CompletableFuture.completedFuture("page");
    }

    private CompletableFuture<String> hanging(CalledHost host) {
        asked.add(host);
        return new CompletableFuture<>();
    }

    /** The failure by which a call has ended. */
    private static Throwable failure(CompletableFuture<?> answer) {
        assertThat(answer).isCompletedExceptionally();
        try {
            answer.join();
        } catch (CompletionException e) {
            return Optional.ofNullable(e.getCause()).orElse(e);
        } catch (RuntimeException e) {
            return e;
        }
        throw new AssertionError("it has an answer");
    }

    private CompletableFuture<String> call(Caller caller, Idempotency idempotency, AsyncHostCall<String> call) {
        CompletableFuture<String> answer = caller.callAsync(idempotency, call).toCompletableFuture();
        time.pass(Duration.ofMillis(20));
        return answer;
    }

    private void make(Caller caller, Idempotency idempotency, AsyncHostCall<String> call) {
        assertThat(call(caller, idempotency, call)).isDone();
    }

    @AfterEach
    void noHostHasCallsPending() {
        time.pass(Duration.ofMinutes(1));
        assertThat(pendingOfAll).as("pending").allMatch(views -> views.stream().allMatch(view -> view.pending() == 0));
    }

    private final List<List<HostView>> pendingOfAll = new ArrayList<>();

    // ------------------------------------------------------------ FF-34: what may be repeated

    @Test
    void callThatIsNotIdempotentIsCarriedOutOnceAndItsOutcomeIsUnknown() {
        Caller caller = callerOf(5, CallerConfig.defaults().withRetry(AT_ONCE));
        CompletableFuture<String> answer =
                caller.callAsync(Idempotency.NOT_IDEMPOTENT, this::hanging).toCompletableFuture();
        time.pass(Duration.ofSeconds(2));
        assertThat(failure(answer)).isInstanceOf(CallOutcomeUnknown.class);
        assertThat(asked).hasSize(1);
        assertThat(caller.counters().outcomeUnknown()).isEqualTo(1);
        pendingOfAll.add(caller.hosts());
    }

    @Test
    void failureAfterSendingOfCallThatIsNotIdempotentIsNotRepeated() {
        Caller caller = callerOf(5, CallerConfig.defaults().withRetry(AT_ONCE));
        CompletableFuture<String> answer =
                call(caller, Idempotency.NOT_IDEMPOTENT, host -> failing(host, new IOException("reset")));
        assertThat(failure(answer)).isInstanceOf(CallOutcomeUnknown.class).hasMessageContaining("reset");
        assertThat(asked).hasSize(1);
    }

    @Test
    void refusedConnectionAllowsAnotherHostWhateverTheCallDoes() {
        Caller caller = callerOf(5, CallerConfig.defaults());
        CompletableFuture<String> answer = call(
                caller,
                Idempotency.NOT_IDEMPOTENT,
                host -> host.attempt() < 2 ? failing(host, new ConnectException("refused")) : answering(host));
        assertThat(answer).isCompletedWithValue("page");
        assertThat(asked)
                .extracting(CalledHost::address)
                .doesNotHaveDuplicates()
                .hasSize(3);
        assertThat(caller.counters().retries()).isEqualTo(2);
        assertThat(events).filteredOn(CallEvent.Retried.class::isInstance).hasSize(2);
    }

    @Test
    void idempotentCallIsRepeatedOnAnotherHost() {
        Caller caller = callerOf(2, CallerConfig.defaults().withRetry(AT_ONCE));
        CompletableFuture<String> answer = call(
                caller,
                Idempotency.IDEMPOTENT,
                host -> host.attempt() == 0 ? failing(host, new IOException("reset")) : answering(host));
        assertThat(answer).isCompletedWithValue("page");
        assertThat(asked)
                .extracting(CalledHost::address)
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    void onlyHostIsAskedAgainAfterPause() {
        Caller caller = callerOf(1, CallerConfig.defaults());
        CompletableFuture<String> answer = call(
                caller,
                Idempotency.IDEMPOTENT,
                host -> host.attempt() == 0 ? failing(host, new NotSent("refused")) : answering(host));
        assertThat(answer).isCompletedWithValue("page");
        assertThat(asked).hasSize(2);
    }

    @Test
    void hostsAnswerIsNotRepeatedEvenWhereItIsFailure() {
        Caller caller = Caller.started(
                list,
                TestingHosts.BOOKS,
                CallerConfig.defaults(),
                error -> error instanceof NoSuchElementException ? FailureKind.ANSWERED : FailureKind.of(error),
                CallListener.NONE,
                time,
                () -> {},
                time,
                new Random(1));
        list.list(TestingHosts.hosts(3));
        CompletableFuture<String> answer =
                call(caller, Idempotency.IDEMPOTENT, host -> failing(host, new NoSuchElementException("no such book")));
        assertThat(failure(answer)).isInstanceOf(NoSuchElementException.class);
        assertThat(asked).hasSize(1);
        assertThat(caller.counters().failed()).isEqualTo(1);
    }

    @Test
    void earlierAttemptThatMayHaveBeenCarriedOutIsNotForgotten() {
        Caller caller = callerOf(3, CallerConfig.defaults().withRetry(AT_ONCE));
        CompletableFuture<String> answer = call(
                caller,
                Idempotency.IDEMPOTENT,
                host -> failing(host, host.attempt() == 0 ? new IOException("reset") : new NotSent("refused")));
        assertThat(failure(answer)).isInstanceOf(CallOutcomeUnknown.class);
        assertThat(asked).hasSize(3);
    }

    @Test
    void callThatReachedNobodyIsSaidToHave() {
        Caller caller = callerOf(3, CallerConfig.defaults());
        CompletableFuture<String> answer =
                call(caller, Idempotency.NOT_IDEMPOTENT, host -> failing(host, new ConnectException("refused")));
        assertThat(failure(answer)).isInstanceOf(NotSent.class);
        assertThat(asked).hasSize(3);
    }

    // ------------------------------------------------------------ deadline

    @Test
    void remainingTimeIsPassedOn() {
        Caller caller = callerOf(
                2,
                CallerConfig.defaults()
                        .withAttemptTimeout(Duration.ofMillis(300))
                        .withRetry(AT_ONCE));
        caller.callAsync(Duration.ofMillis(500), Idempotency.IDEMPOTENT, this::hanging);
        time.pass(Duration.ofSeconds(1));
        assertThat(asked).hasSize(2);
        assertThat(asked.get(0).remaining()).isEqualTo(Duration.ofMillis(300));
        assertThat(asked.get(1).remaining()).isBetween(Duration.ofMillis(199), Duration.ofMillis(200));
    }

    @Test
    void callWithoutTimeIsNotSent() {
        Caller caller = callerOf(1, CallerConfig.defaults());
        CompletableFuture<String> answer = caller.callAsync(Duration.ZERO, Idempotency.IDEMPOTENT, this::answering)
                .toCompletableFuture();
        assertThat(failure(answer)).isInstanceOf(DeadlineExceeded.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void stageThatIsLateIsCancelledAndItsAnswerOfNoEffect() {
        Caller caller = callerOf(1, CallerConfig.defaults());
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> answer =
                caller.callAsync(Idempotency.IDEMPOTENT, host -> stage).toCompletableFuture();
        time.pass(Duration.ofMillis(999));
        assertThat(answer).isNotDone();
        time.pass(Duration.ofMillis(1));
        assertThat(failure(answer)).isInstanceOf(CallOutcomeUnknown.class);
        assertThat(stage).isCancelled();
        pendingOfAll.add(caller.hosts());
    }

    // ------------------------------------------------------------ bulkhead

    @Test
    void callsPastTheBulkheadWaitOnlySoLong() {
        BulkheadConfig two = BulkheadConfig.defaults().withCallsMax(2).withWaiting(1, Duration.ofMillis(100));
        Caller caller = callerOf(1, CallerConfig.defaults().withBulkhead(two));
        caller.callAsync(Idempotency.IDEMPOTENT, this::hanging);
        caller.callAsync(Idempotency.IDEMPOTENT, this::hanging);
        CompletableFuture<String> waits =
                caller.callAsync(Idempotency.IDEMPOTENT, this::answering).toCompletableFuture();
        CompletableFuture<String> tooMany =
                caller.callAsync(Idempotency.IDEMPOTENT, this::answering).toCompletableFuture();
        assertThat(failure(tooMany))
                .isInstanceOfSatisfying(
                        CallRejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(CallRejected.Reason.BULKHEAD));
        time.pass(Duration.ofMillis(99));
        assertThat(waits).isNotDone();
        time.pass(Duration.ofMillis(1));
        assertThat(failure(waits)).isInstanceOf(CallRejected.class);
        assertThat(asked).hasSize(2);
        assertThat(caller.counters().bulkheadFull()).isEqualTo(2);
    }

    @Test
    void placeThatIsLeftGoesToWhoWaits() {
        BulkheadConfig one = BulkheadConfig.defaults().withCallsMax(1);
        Caller caller = callerOf(1, CallerConfig.defaults().withBulkhead(one));
        CompletableFuture<String> stage = new CompletableFuture<>();
        caller.callAsync(Idempotency.IDEMPOTENT, host -> stage);
        CompletableFuture<String> waits =
                caller.callAsync(Idempotency.IDEMPOTENT, this::answering).toCompletableFuture();
        time.pass(Duration.ofMillis(10));
        assertThat(waits).isNotDone();
        stage.complete("first");
        time.pass(Duration.ofMillis(1));
        assertThat(waits).isCompletedWithValue("page");
        assertThat(call(caller, Idempotency.IDEMPOTENT, this::answering)).isCompletedWithValue("page");
    }

    @Test
    void oneHostGetsNoMoreThanItsPart() {
        BulkheadConfig four = BulkheadConfig.defaults().withPerHostMax(4);
        Caller caller = callerOf(2, CallerConfig.defaults().withBulkhead(four));
        for (int i = 0; i < 8; i++) {
            caller.callAsync(Idempotency.IDEMPOTENT, this::hanging);
        }
        assertThat(caller.hosts()).extracting(HostView::pending).containsExactly(4, 4);
        assertThat(failure(call(caller, Idempotency.IDEMPOTENT, this::answering)))
                .isInstanceOfSatisfying(
                        CallRejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(CallRejected.Reason.BREAKER));
    }

    // ------------------------------------------------------------ breaker, budget, throttle

    @Test
    void hostThatFailsIsLeftAloneAndTriedAgainLater() {
        Caller caller = callerOf(
                1, CallerConfig.defaults().withRetry(RetryConfig.none()).withThrottle(false));
        for (int i = 0; i < 5; i++) {
            make(caller, Idempotency.IDEMPOTENT, host -> failing(host, new IOException("broken")));
        }
        assertThat(failure(call(caller, Idempotency.IDEMPOTENT, this::answering)))
                .isInstanceOfSatisfying(
                        CallRejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(CallRejected.Reason.BREAKER));
        assertThat(asked).hasSize(5);
        time.pass(Duration.ofSeconds(2));
        assertThat(call(caller, Idempotency.IDEMPOTENT, this::answering)).isCompletedWithValue("page");
        assertThat(caller.counters().breakersOpened()).isEqualTo(1);
    }

    @Test
    void whereAllHostsHaveFailedAtOnceTheyAreSoonTriedAgain() {
        Caller caller = callerOf(
                3, CallerConfig.defaults().withRetry(RetryConfig.none()).withThrottle(false));
        for (int i = 0; i < 15; i++) {
            caller.callAsync(Idempotency.IDEMPOTENT, host -> failing(host, new IOException("stood still")));
        }
        assertThat(caller.hosts()).extracting(HostView::breaker).containsOnly("OPEN");
        assertThat(failure(call(caller, Idempotency.IDEMPOTENT, this::answering)))
                .isInstanceOf(CallRejected.class);
        time.pass(Duration.ofMillis(200)); // a tenth of what a breaker is open for
        for (int i = 0; i < 10; i++) {
            assertThat(call(caller, Idempotency.IDEMPOTENT, this::answering)).isCompletedWithValue("page");
        }
        assertThat(caller.hosts()).extracting(HostView::breaker).contains("CLOSED");
    }

    @Test
    void hostsThatAllHangGetFewProbes() {
        Caller caller = callerOf(3, CallerConfig.defaults().withRetry(RetryConfig.none()));
        for (int i = 0; i < 15; i++) {
            caller.callAsync(Idempotency.IDEMPOTENT, host -> failing(host, new IOException("broken")));
        }
        asked.clear();
        time.pass(Duration.ofMillis(200));
        for (int i = 0; i < 100; i++) {
            caller.callAsync(Idempotency.IDEMPOTENT, this::hanging);
            time.pass(Duration.ofMillis(5));
        }
        assertThat(asked).hasSize(6); // two for each
    }

    /** FF-01, through everything: cancelled, interrupted and thrown away probes give their place back. */
    @Test
    void probesThatAreGivenUpGiveTheirPlaceBack() {
        for (int trial = 0; trial < 1_000; trial++) {
            Random random = new Random(trial);
            SteppedTime now = new SteppedTime(random.nextLong());
            TestingHosts one = new TestingHosts();
            CallerConfig config = CallerConfig.defaults()
                    .withRetry(RetryConfig.none())
                    .withThrottle(false)
                    .withTimeout(Duration.ofMinutes(10));
            Caller caller = one.caller(config, now, random);
            one.list(TestingHosts.hosts(1));
            for (int i = 0; i < 5; i++) {
                caller.callAsync(Idempotency.IDEMPOTENT, host -> failing(host, new IOException("broken")));
            }
            assertThat(caller.hosts().get(0).breaker()).isEqualTo("OPEN");
            now.pass(Duration.ofSeconds(2));
            for (int i = 0; i < 20; i++) {
                switch (random.nextInt(3)) {
                    case 0 ->
                        caller.callAsync(Idempotency.IDEMPOTENT, host -> new CompletableFuture<String>())
                                .toCompletableFuture()
                                .cancel(true);
                    case 1 ->
                        caller.callAsync(Idempotency.IDEMPOTENT, host -> {
                            throw new IllegalStateException("a filter said no");
                        });
                    default -> {
                        caller.callAsync(Idempotency.IDEMPOTENT, host -> {
                            throw new InterruptedException("interrupted");
                        });
                        assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
                    }
                }
            }
            assertThat(caller.hosts().get(0).pending()).as("seed %d", trial).isZero();
            for (int i = 0; i < 2; i++) {
                assertThat(caller.callAsync(Idempotency.IDEMPOTENT, this::answering)
                                .toCompletableFuture())
                        .as("seed %d", trial)
                        .isCompletedWithValue("page");
            }
            assertThat(caller.hosts().get(0).breaker()).as("seed %d", trial).isEqualTo("CLOSED");
        }
    }

    @Test
    void repetitionsStayWithinTheirBudget() {
        CallerConfig config = new CallerConfig(
                Duration.ofSeconds(1),
                Optional.empty(),
                AT_ONCE.withBudget(0.2, 0),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                SpreadConfig.defaults(),
                false);
        Caller caller = callerOf(5, config);
        for (int i = 0; i < 100; i++) {
            make(caller, Idempotency.IDEMPOTENT, host -> failing(host, new IOException("broken")));
        }
        assertThat(caller.counters().amplification()).isBetween(1.15, 1.2);
        assertThat(caller.counters().budgetSpent()).isPositive();
        assertThat(events).anyMatch(CallEvent.BudgetSpent.class::isInstance);
    }

    @Test
    void callsFailHereWhereTheHostsRejectMostOfThem() {
        Caller caller = callerOf(5, CallerConfig.defaults());
        for (int i = 0; i < 200; i++) {
            make(caller, Idempotency.IDEMPOTENT, host -> failing(host, new HostRejected("full")));
        }
        CallCounters counters = caller.counters();
        assertThat(counters.throttled()).isGreaterThan(100);
        assertThat(counters.attempts()).isLessThan(100);
        assertThat(counters.hostRejected() + counters.throttled()).isEqualTo(200);
    }

    @Test
    void hostThatNamesTimeIsLeftAloneForIt() {
        Caller caller = callerOf(2, CallerConfig.defaults());
        HostRejected later = new HostRejected("full", Optional.of(Duration.ofSeconds(5)));
        make(caller, Idempotency.IDEMPOTENT, host -> host.attempt() == 0 ? failing(host, later) : answering(host));
        Instance rejecting = asked.get(0).instance();
        asked.clear();
        for (int i = 0; i < 50; i++) {
            make(caller, Idempotency.IDEMPOTENT, this::answering);
        }
        assertThat(asked).extracting(CalledHost::instance).doesNotContain(rejecting);
        time.pass(Duration.ofSeconds(5));
        for (int i = 0; i < 50; i++) {
            make(caller, Idempotency.IDEMPOTENT, this::answering);
        }
        assertThat(asked).extracting(CalledHost::instance).contains(rejecting);
    }

    @Test
    void hostThatDoesWorseThanTheOthersIsLeftOutForWhile() {
        CallerConfig config = CallerConfig.defaults().withThrottle(false);
        Caller caller = caller(new CallerConfig(
                config.timeout(),
                config.attemptTimeout(),
                AT_ONCE,
                config.bulkhead(),
                Optional.empty(),
                config.ejection(),
                config.spread(),
                false));
        List<Instance> hosts = TestingHosts.hosts(4);
        list.list(hosts);
        Instance bad = hosts.get(2);
        for (int i = 0; i < 100; i++) {
            make(
                    caller,
                    Idempotency.IDEMPOTENT,
                    host -> host.instance().equals(bad) ? failing(host, new IOException("broken")) : answering(host));
        }
        assertThat(events).filteredOn(CallEvent.Ejected.class::isInstance).hasSize(1);
        assertThat(caller.hosts())
                .filteredOn(HostView::ejected)
                .extracting(HostView::instance)
                .containsExactly(bad);
        time.pass(Duration.ofSeconds(5));
        assertThat(events).anyMatch(CallEvent.Returned.class::isInstance);
    }

    // ------------------------------------------------------------ hosts

    @Test
    void callWaitsForTheFirstListWithinItsTime() {
        Caller caller = caller(CallerConfig.defaults());
        CompletableFuture<String> early =
                caller.callAsync(Idempotency.IDEMPOTENT, this::answering).toCompletableFuture();
        time.pass(Duration.ofMillis(900));
        assertThat(early).isNotDone();
        list.list(TestingHosts.hosts(1));
        time.pass(Duration.ofMillis(1));
        assertThat(early).isCompletedWithValue("page");
    }

    @Test
    void callWithoutAnyListFailsForLackOfHosts() {
        Caller caller = caller(CallerConfig.defaults());
        CompletableFuture<String> answer =
                caller.callAsync(Idempotency.IDEMPOTENT, this::answering).toCompletableFuture();
        time.pass(Duration.ofSeconds(1));
        assertThat(failure(answer)).isInstanceOf(NoHosts.class);
        list.list(List.of());
        assertThat(failure(call(caller, Idempotency.IDEMPOTENT, this::answering)))
                .isInstanceOf(NoHosts.class);
        assertThat(caller.counters().noHosts()).isEqualTo(2);
    }

    @Test
    void listThatIsNotCompleteTakesNobodyAway() {
        Caller caller = callerOf(3, CallerConfig.defaults());
        list.list(List.of(TestingHosts.host(7)), false);
        assertThat(caller.hosts()).hasSize(4);
        list.list(List.of(TestingHosts.host(7)), true);
        assertThat(caller.hosts()).hasSize(1);
    }

    @Test
    void emptyListThatIsNotCompleteSaysNothing() {
        Caller caller = caller(CallerConfig.defaults());
        list.list(List.of(), false);
        CompletableFuture<String> early =
                caller.callAsync(Idempotency.IDEMPOTENT, this::answering).toCompletableFuture();
        assertThat(early).isNotDone();
        list.list(TestingHosts.hosts(1));
        time.pass(Duration.ofMillis(1));
        assertThat(early).isCompletedWithValue("page");
    }

    @Test
    void emptyListIsBelievedAfterWhileOnly() {
        Caller caller = callerOf(3, CallerConfig.defaults());
        list.list(List.of());
        time.pass(Duration.ofSeconds(29));
        assertThat(caller.hosts()).hasSize(3);
        list.list(TestingHosts.hosts(3));
        time.pass(Duration.ofSeconds(29));
        assertThat(caller.hosts()).hasSize(3);
        list.list(List.of());
        time.pass(Duration.ofSeconds(31));
        assertThat(caller.hosts()).isEmpty();
    }

    @Test
    void hostThatIsGoneGetsNoMoreCalls() {
        Caller caller = callerOf(3, CallerConfig.defaults());
        list.list(TestingHosts.hosts(2));
        Set<Instance> called = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            make(caller, Idempotency.IDEMPOTENT, this::answering);
        }
        asked.forEach(each -> called.add(each.instance()));
        assertThat(called).containsExactlyInAnyOrderElementsOf(TestingHosts.hosts(2));
    }

    // ------------------------------------------------------------ blocking calls

    @Test
    void blockingCallRunsOnTheThreadThatMakesIt() {
        Caller caller = callerOf(2, CallerConfig.defaults());
        Thread here = Thread.currentThread();
        String answer = caller.call(Idempotency.IDEMPOTENT, host -> {
            assertThat(Thread.currentThread()).isSameAs(here);
            if (host.attempt() == 0) {
                throw new ConnectException("refused");
            }
            return "page";
        });
        assertThat(answer).isEqualTo("page");
    }

    @Test
    void interruptedCallSaysSoAndLeavesTheThreadInterrupted() {
        Caller caller = callerOf(1, CallerConfig.defaults());
        assertThatThrownBy(() -> caller.call(Idempotency.IDEMPOTENT, host -> {
                    throw new InterruptedException("stop");
                }))
                .isInstanceOf(CallOutcomeUnknown.class);
        assertThat(Thread.interrupted()).isTrue();
        Caller without = caller(CallerConfig.defaults());
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> without.call(Idempotency.IDEMPOTENT, host -> "page"))
                .isInstanceOf(NotSent.class);
        assertThat(Thread.interrupted()).isTrue();
        pendingOfAll.add(caller.hosts());
    }

    @Test
    void checkedAnswerIsWrapped() {
        Caller caller = Caller.started(
                list,
                TestingHosts.BOOKS,
                CallerConfig.defaults(),
                error -> FailureKind.ANSWERED,
                CallListener.NONE,
                time,
                () -> {},
                time,
                new Random(1));
        list.list(TestingHosts.hosts(1));
        assertThatThrownBy(() -> caller.call(Idempotency.IDEMPOTENT, host -> {
                    throw new IOException("404");
                }))
                .isInstanceOf(CallFailed.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void closedCallerRejectsCalls() {
        Caller caller = callerOf(1, CallerConfig.defaults());
        caller.close();
        caller.close();
        assertThatThrownBy(() -> caller.call(Idempotency.IDEMPOTENT, host -> "page"))
                .isInstanceOfSatisfying(
                        CallRejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(CallRejected.Reason.CLOSED));
    }

    @Test
    void listenerThatFailsStopsNothing() {
        Caller caller = list.caller(CallerConfig.defaults(), time, new Random(1), event -> {
            throw new IllegalStateException("listener");
        });
        list.list(TestingHosts.hosts(1));
        assertThat(call(caller, Idempotency.IDEMPOTENT, this::answering)).isCompletedWithValue("page");
    }
}
