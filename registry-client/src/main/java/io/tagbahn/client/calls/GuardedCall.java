// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.client.calls.CallTally.Count;
import io.tagbahn.client.calls.TrackedHost.FailureOrAnswer;
import io.tagbahn.client.resilience.AdaptiveThrottle;
import io.tagbahn.model.Overloaded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call, and everything that stands between it and the hosts, in this order: whether the caller is open, the deadline,
 * the throttle, the bulkhead, the list of hosts, the choice of one, its breaker, the attempt with the time that is left,
 * what became of it, whether it may be repeated, the budget, the pause, and the next attempt at another host. The only place
 * where calls to services are repeated.
 */
final class GuardedCall<T> {

    /** An attempt that took this part of its time has timed out, whatever exception says so. */
    private static final double TIMED_OUT = 0.95;

    private final CallParts parts;
    private final Idempotency idempotency;
    private final AsyncHostCall<T> function;
    private final Executor goingOn;
    private final boolean blocking;
    private final long deadlineNanos;
    private final Duration timeout;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final CompletionStage<T> end = answer;
    private final List<TrackedHost> tried = new ArrayList<>(2);

    private volatile @Nullable Attempt attempt;
    private volatile @Nullable Throwable lastError;
    private volatile FailureKind lastKind = FailureKind.CALLER_FAILED;
    private volatile boolean outcomeUnknown;
    private int made;

    /**
     * @param goingOn runs what follows on something that was waited for, and all attempts but the first
     * @param blocking whether the function blocks: its attempts can't be given up then
     */
    GuardedCall(
            CallParts parts,
            Idempotency idempotency,
            Duration timeout,
            AsyncHostCall<T> function,
            Executor goingOn,
            boolean blocking) {
        this.parts = parts;
        this.idempotency = idempotency;
        this.function = function;
        this.goingOn = goingOn;
        this.blocking = blocking;
        this.timeout = timeout;
        this.deadlineNanos = parts.nanos().getAsLong() + timeout.toNanos();
    }

    CompletableFuture<T> start() {
        CallTally tally = parts.tally();
        tally.count(Count.CALLS);
        end.whenComplete((value, error) -> ended(error));
        if (parts.isClosed().getAsBoolean()) {
            reject(CallRejected.Reason.CLOSED, "the caller is closed");
        } else if (timeout.isNegative() || timeout.isZero()) {
            answer.completeExceptionally(new DeadlineExceeded("no time was left for the call"));
        } else if (parts.throttle().isPresent() && !parts.throttle().get().admits()) {
            reject(CallRejected.Reason.THROTTLE, "the hosts of " + parts.target() + " reject most calls");
        } else {
            parts.budget().called();
            enter();
        }
        return answer;
    }

    // ------------------------------------------------------------ the bulkhead

    private void enter() {
        if (parts.bulkhead().isEmpty()) {
            awaitHosts();
            return;
        }
        Bulkhead bulkhead = parts.bulkhead().get();
        Optional<CompletableFuture<Void>> place = bulkhead.enter();
        if (place.isEmpty()) {
            reject(CallRejected.Reason.BULKHEAD, "too many calls to " + parts.target() + " wait already");
            return;
        }
        CompletableFuture<Void> given = place.get();
        end.whenComplete((value, error) -> {
            if (!bulkhead.abandon(given)) {
                bulkhead.leave();
            }
        });
        if (given.isDone()) {
            awaitHosts();
            return;
        }
        Duration wait = shorter(parts.waitMax(), left());
        CallTimer.Scheduled over = parts.timer().after(wait, () -> {
            if (!given.isDone()) {
                reject(
                        CallRejected.Reason.BULKHEAD,
                        "too many calls to " + parts.target() + " are under way, for " + wait.toMillis() + " ms");
            }
        });
        CompletionStage<Void> entered = given;
        entered.thenRunAsync(
                () -> {
                    over.cancel();
                    awaitHosts();
                },
                goingOn);
    }

    // ------------------------------------------------------------ the hosts

    private void awaitHosts() {
        if (parts.roster().hosts().known()) {
            next();
            return;
        }
        CallTimer.Scheduled over = parts.timer()
                .after(
                        left(),
                        () -> answer.completeExceptionally(
                                new NoHosts("the registry has not yet named hosts of " + parts.target())));
        CompletionStage<HostSet> first = parts.roster().first();
        first.thenRunAsync(
                () -> {
                    over.cancel();
                    next();
                },
                goingOn);
    }

    private void next() {
        if (answer.isDone()) {
            return;
        }
        if (left().isZero()) {
            fail(new DeadlineExceeded("the time was over before the call was sent to a host of " + parts.target()));
            return;
        }
        HostSet hosts = parts.roster().hosts();
        if (hosts.all().size() == 0) {
            fail(new NoHosts("no host of " + parts.target() + " takes calls"));
            return;
        }
        Optional<HostChoice.Chosen> chosen = parts.choice().choose(hosts, tried);
        if (chosen.isEmpty()) {
            if (lastError == null) {
                reject(CallRejected.Reason.BREAKER, "all hosts of " + parts.target() + " fail, or are full");
            } else {
                fail(new NoHosts("no host of " + parts.target() + " is left"));
            }
            return;
        }
        attempt(chosen.get());
    }

    // ------------------------------------------------------------ attempts

    private void attempt(HostChoice.Chosen chosen) {
        TrackedHost host = chosen.host();
        tried.add(host);
        Duration share = share();
        int number = made++;
        parts.tally().attempt(host.distance());
        if (number > 0) {
            parts.tally().count(Count.RETRIES);
        }
        Attempt now = new Attempt(chosen, share);
        attempt = now;
        now.make(new CalledHost(host.instance(), share, number, host.distance()));
    }

    /** All the time left, or as much as one attempt may have. */
    private Duration share() {
        boolean last = made + 1 >= parts.config().retry().attemptsMax();
        return parts.config()
                .attemptTimeout()
                .filter(each -> !last)
                .map(each -> shorter(each, left()))
                .orElseGet(this::left);
    }

    /** One attempt at one host; whatever becomes of it, its permit is given back, once. */
    private final class Attempt {
        private final HostChoice.Chosen chosen;
        private final Duration share;
        private final long sentNanos = parts.nanos().getAsLong();
        private final AtomicBoolean settled = new AtomicBoolean();
        private volatile @Nullable CompletionStage<T> stage;

        Attempt(HostChoice.Chosen chosen, Duration share) {
            this.chosen = chosen;
            this.share = share;
        }

        void make(CalledHost host) {
            CompletionStage<T> made;
            try {
                made = function.on(host);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed(e);
                return;
            } catch (Exception e) {
                failed(e);
                return;
            } catch (Error e) {
                settle(FailureOrAnswer.NOTHING, false);
                answer.completeExceptionally(e);
                throw e;
            }
            stage = made;
            CallTimer.Scheduled over = blocking ? () -> {} : parts.timer().after(share, this::timedOut);
            made.whenComplete((value, error) -> {
                over.cancel();
                if (error == null) {
                    succeeded(value);
                } else {
                    failed(error);
                }
            });
            if (answer.isDone()) {
                giveUp(); // the user cancelled while the function was running
            }
        }

        private void succeeded(T value) {
            if (settle(FailureOrAnswer.ANSWER, false)) {
                answer.complete(value);
            }
        }

        private void timedOut() {
            failed(new TimeoutException("no answer within " + share.toMillis() + " ms"));
            CompletionStage<T> under = stage;
            if (under != null) {
                under.toCompletableFuture().cancel(true);
            }
        }

        private void failed(Throwable error) {
            Throwable cause = FailureKind.unwrap(error);
            FailureKind kind = parts.kinds().apply(cause);
            boolean timedOut = kind == FailureKind.HOST_FAILED
                    && parts.nanos().getAsLong() - sentNanos >= share.toNanos() * TIMED_OUT;
            boolean first = settle(
                    switch (kind) {
                        case NOT_SENT, HOST_FAILED -> FailureOrAnswer.HOST_FAILURE;
                        case REJECTED -> FailureOrAnswer.REJECTION;
                        case ANSWERED -> FailureOrAnswer.ANSWER;
                        case CALLER_FAILED -> FailureOrAnswer.NOTHING;
                    },
                    timedOut);
            if (!first) {
                return;
            }
            if (kind == FailureKind.REJECTED) {
                retryAfter(cause)
                        .ifPresent(
                                each -> chosen.host().rest(each, parts.nanos().getAsLong()));
            }
            lastError = cause;
            lastKind = kind;
            outcomeUnknown |= kind == FailureKind.HOST_FAILED;
            again(chosen.host(), kind, cause);
        }

        /** The call is of no use any more. */
        void giveUp() {
            if (settle(FailureOrAnswer.NOTHING, false)) {
                CompletionStage<T> under = stage;
                if (under != null) {
                    under.toCompletableFuture().cancel(true);
                }
            }
        }

        private boolean settle(FailureOrAnswer outcome, boolean timedOut) {
            if (!settled.compareAndSet(false, true)) {
                return false;
            }
            chosen.host()
                    .settle(chosen.permit(), outcome, sentNanos, parts.nanos().getAsLong(), timedOut);
            return true;
        }
    }

    private static Optional<Duration> retryAfter(Throwable cause) {
        if (cause instanceof HostRejected rejected) {
            return rejected.retryAfter();
        }
        return cause instanceof Overloaded overloaded ? overloaded.retryAfter() : Optional.empty();
    }

    // ------------------------------------------------------------ again, or not

    private void again(TrackedHost host, FailureKind kind, Throwable cause) {
        RetryConfig retry = parts.config().retry();
        if (!kind.mayGoElsewhere(idempotency)
                || made >= retry.attemptsMax()
                || parts.isClosed().getAsBoolean()) {
            answer.completeExceptionally(last(kind, cause));
            return;
        }
        boolean elsewhere = tried.size() < parts.roster().hosts().all().size();
        Duration pause = elsewhere && kind != FailureKind.HOST_FAILED
                ? Duration.ZERO
                : parts.backoff().pause(made - 1, parts.random());
        if (left().compareTo(pause) <= 0) {
            answer.completeExceptionally(last(kind, cause));
            return;
        }
        // One host that rejects calls is no sign that others do; where most calls are rejected in the end, it is.
        boolean crowded = kind == FailureKind.REJECTED
                && parts.throttle().map(each -> each.refusedShare() > 0).orElse(true);
        boolean granted =
                crowded ? parts.budget().tryRetryWithinShare() : parts.budget().tryRetry();
        if (!granted) {
            parts.tally().count(Count.BUDGET_SPENT);
            parts.tally().tell(new CallEvent.BudgetSpent(kind));
            answer.completeExceptionally(last(kind, cause));
            return;
        }
        parts.tally().tell(new CallEvent.Retried(host.instance(), kind, made));
        if (pause.isZero()) {
            goingOn.execute(this::next);
        } else {
            parts.timer().after(pause, () -> goingOn.execute(this::next));
        }
    }

    /** What is told of a call that can't be made any more: what its last attempt came to, where there was one. */
    private void fail(CallFailure withoutAttempts) {
        Throwable error = lastError;
        answer.completeExceptionally(error == null ? withoutAttempts : last(lastKind, error));
    }

    private Throwable last(FailureKind kind, Throwable cause) {
        switch (kind) {
            case ANSWERED -> {
                return cause instanceof RuntimeException || cause instanceof Error ? cause : new CallFailed(cause);
            }
            case CALLER_FAILED -> {
                if (outcomeUnknown || cause instanceof InterruptedException || cause instanceof CancellationException) {
                    return new CallOutcomeUnknown("a call to " + parts.target() + " was given up: " + cause, cause);
                }
                return cause instanceof RuntimeException || cause instanceof Error ? cause : new CallFailed(cause);
            }
            default -> {
                return lastOfHosts(kind, cause);
            }
        }
    }

    private CallFailure lastOfHosts(FailureKind kind, Throwable cause) {
        String told = "after " + made + (made == 1 ? " attempt: " : " attempts: ") + cause.getMessage();
        if (outcomeUnknown) {
            return new CallOutcomeUnknown("no good answer from " + parts.target() + ' ' + told, cause);
        }
        if (kind == FailureKind.REJECTED) {
            return cause instanceof HostRejected rejected
                    ? rejected
                    : new HostRejected(parts.target() + " is overloaded, " + told, retryAfter(cause));
        }
        return cause instanceof NotSent notSent
                ? notSent
                : new NotSent(parts.target() + " could not be reached " + told, cause);
    }

    private void reject(CallRejected.Reason reason, String message) {
        if (answer.completeExceptionally(new CallRejected(reason, message))) {
            parts.tally().tell(new CallEvent.Rejected(reason));
        }
    }

    /** The thread that waits for the answer was interrupted: nothing is sent any more. */
    CallFailure interrupted(InterruptedException interruption) {
        CallFailure failure = outcomeUnknown
                ? new CallOutcomeUnknown("interrupted, after a host may have carried the call out", interruption)
                : new NotSent("interrupted before the call was sent", interruption);
        answer.completeExceptionally(failure);
        return failure;
    }

    private void ended(@Nullable Throwable error) {
        Attempt under = attempt;
        if (under != null) {
            under.giveUp();
            parts.throttle().ifPresent(each -> learn(each, error));
        }
        parts.tally().count(outcome(error));
    }

    /** The throttle counts calls, not attempts: one that another host has taken was accepted. */
    private void learn(AdaptiveThrottle throttle, @Nullable Throwable error) {
        if (error == null || lastKind == FailureKind.ANSWERED || lastKind == FailureKind.HOST_FAILED) {
            throttle.accepted();
        } else if (lastKind == FailureKind.REJECTED) {
            throttle.rejected();
        }
    }

    private static Count outcome(@Nullable Throwable error) {
        if (error == null) {
            return Count.ANSWERED;
        }
        if (error instanceof CallRejected rejected) {
            return switch (rejected.reason()) {
                case BULKHEAD -> Count.BULKHEAD_FULL;
                case BREAKER -> Count.BREAKERS_OPEN;
                case THROTTLE -> Count.THROTTLED;
                case CLOSED -> Count.FAILED;
            };
        }
        if (error instanceof CallOutcomeUnknown) {
            return Count.OUTCOME_UNKNOWN;
        }
        if (error instanceof NotSent) {
            return Count.NOT_SENT;
        }
        if (error instanceof HostRejected) {
            return Count.HOST_REJECTED;
        }
        if (error instanceof NoHosts) {
            return Count.NO_HOSTS;
        }
        return error instanceof DeadlineExceeded ? Count.DEADLINE_EXCEEDED : Count.FAILED;
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - parts.nanos().getAsLong()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
