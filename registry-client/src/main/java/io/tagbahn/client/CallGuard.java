// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.client.resilience.AdaptiveThrottle;
import io.tagbahn.client.resilience.Backoff;
import io.tagbahn.client.resilience.RetryBudget;
import io.tagbahn.model.CallContext;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What stands between a call and the nodes. The only place where calls are repeated.
 *
 * <p>Each attempt passes, in this order: is the client open; is there time left; has the registry asked for time; would it
 * be rejected anyway ({@link AdaptiveThrottle}); which node ({@link NodePicker}). What fails is then sorted by what it
 * allows, and is repeated where the signal, the {@link RetryBudget} and the time that is left all do, after a random pause
 * ({@link Backoff}) or at once at another node.
 *
 * <p>Calls of the registry are idempotent by key, so one whose outcome is unknown may be repeated as well: a registration
 * carries a generation that stays the same.
 */
final class CallGuard {

    /** A call, as it is made to one node. */
    interface NodeCall<T> {
        CompletionStage<T> on(RegistryNode node, CallContext context);
    }

    /** The node that calls of one series are made to, until it fails. */
    static final class Stay {
        private volatile Optional<KnownNode> node = Optional.empty();
    }

    /** When a call is answered. */
    private enum Answered {
        AT_ONCE,
        ON_CHANGE
    }

    /** What its repetitions are taken out of. */
    private enum Repeating {
        WITHIN_BUDGET,
        /** Nobody waits for it, and it comes again by itself. */
        WITHIN_SHARE
    }

    /** Calls that wait because the registry has asked for time; more fail at once. */
    static final int HELD_MAX = 1_000;

    /** How long a node that is busy is spared where it doesn't say for how long. */
    private static final Duration BUSY_FOR = Duration.ofMillis(100);

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final NodePicker nodes;
    private final CallConfig config;
    private final CallContext context;
    private final Timer timer;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final CallTally tally;
    private final Backoff backoff;
    private final RetryBudget budget;
    private final Holds holds;
    /** Leases are not throttled: they are few, and losing them costs more than they do. */
    private final Map<Criticality, AdaptiveThrottle> throttles = new EnumMap<>(Criticality.class);

    private final Set<Attempts<?>> waiting = ConcurrentHashMap.newKeySet(); // at most one for each call of the user
    private final AtomicInteger held = new AtomicInteger();
    private volatile boolean closed;

    /** @param context what all calls say of themselves */
    CallGuard(
            NodePicker nodes,
            CallConfig config,
            CallContext context,
            Timer timer,
            LongSupplier nanos,
            RandomGenerator random,
            CallTally tally) {
        this.nodes = nodes;
        this.config = config;
        this.context = context;
        this.timer = timer;
        this.nanos = nanos;
        this.random = random;
        this.tally = tally;
        this.backoff = new Backoff(config.backoffMin(), config.backoffMax());
        this.budget = new RetryBudget(config.retryShare(), config.retriesPerSecond(), CallConfig.RETRY_WINDOW, nanos);
        this.holds = new Holds(nanos);
        throttles.put(Criticality.SHEDDABLE, AdaptiveThrottle.standard(nanos, random));
        throttles.put(Criticality.NORMAL, AdaptiveThrottle.standard(nanos, random));
    }

    <T> CompletableFuture<T> read(NodeCall<T> call) {
        return call(config.readTimeout(), Criticality.NORMAL, call);
    }

    <T> CompletableFuture<T> write(NodeCall<T> call) {
        return call(config.writeTimeout(), Criticality.NORMAL, call);
    }

    /** A read that nobody waits for, and that is made again and again. */
    <T> CompletableFuture<T> refresh(NodeCall<T> call) {
        return call(
                config.readTimeout(), Criticality.NORMAL, Answered.AT_ONCE, Repeating.WITHIN_SHARE, new Stay(), call);
    }

    /** Fails with a {@link RegistryException} by the deadline, or succeeds. */
    <T> CompletableFuture<T> call(Duration timeout, Criticality criticality, NodeCall<T> call) {
        return call(timeout, criticality, Answered.AT_ONCE, Repeating.WITHIN_BUDGET, new Stay(), call);
    }

    /** The same, of one that is answered when something changes, of a series that stays with one node. */
    <T> CompletableFuture<T> waitingCall(Duration timeout, Stay stay, NodeCall<T> call) {
        return call(timeout, Criticality.NORMAL, Answered.ON_CHANGE, Repeating.WITHIN_BUDGET, stay, call);
    }

    private <T> CompletableFuture<T> call(
            Duration timeout,
            Criticality criticality,
            Answered answered,
            Repeating repeating,
            Stay stay,
            NodeCall<T> call) {
        CallContext sent = new CallContext(
                Optional.empty(), criticality, context.caller(), context.traceParent(), context.token(), 0);
        Attempts<T> attempts =
                new Attempts<>(call, answered, repeating, stay, sent, nanos.getAsLong() + timeout.toNanos());
        tally.calls.increment();
        budget.called();
        attempts.next();
        return attempts.answer;
    }

    /** Makes no further attempts; calls that wait for one fail now. The connections are not closed by this. */
    void close() {
        closed = true;
        waiting.forEach(Attempts::resume);
    }

    /** The attempts of one call, one after another. */
    private final class Attempts<T> {
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final NodeCall<T> call;
        private final Answered answered;
        private final Repeating repeating;
        private final Stay stay;
        private final CallContext context;
        private final long deadlineNanos;
        private final List<KnownNode> tried = new ArrayList<>(2);
        private int made;
        private int waits;
        private boolean isHeld;
        private boolean outcomeUnknown;
        private Optional<RegistryException> lastError = Optional.empty();

        Attempts(
                NodeCall<T> call,
                Answered answered,
                Repeating repeating,
                Stay stay,
                CallContext context,
                long deadlineNanos) {
            this.call = call;
            this.answered = answered;
            this.repeating = repeating;
            this.stay = stay;
            this.context = context;
            this.deadlineNanos = deadlineNanos;
        }

        void next() {
            long leftNanos = deadlineNanos - nanos.getAsLong();
            if (closed) {
                fail(new Unreachable("the client is closed"));
            } else if (leftNanos <= 0) {
                fail(lastError.orElseGet(() -> new Unreachable("no time left before a node was asked")));
            } else if (!isHeldBack(leftNanos)) {
                if (isThrottled()) {
                    tally.throttled.increment();
                    fail(lastError.orElseGet(() -> new Overloaded(
                            "not sent: the registry rejects most calls", Signal.RETRY_AFTER, Optional.empty())));
                } else {
                    send(leftNanos);
                }
            }
        }

        /** Whether the registry has asked for time: then the call waits for it, or has failed. */
        private boolean isHeldBack(long leftNanos) {
            Optional<Duration> asked = holds.left(context.criticality());
            if (asked.isEmpty()) {
                return false;
            }
            Duration delay = asked.get().plus(backoff.pause(waits++, random));
            if (delay.toNanos() >= leftNanos || !takeHeld()) {
                tally.heldBack.increment();
                fail(lastError.orElseGet(
                        () -> new Overloaded("not sent: the registry has asked for time", Signal.RETRY_AFTER, asked)));
            } else {
                tally.held.increment();
                resumeAfter(delay, new Unreachable("the client is closed"));
            }
            return true;
        }

        private boolean takeHeld() {
            if (held.incrementAndGet() > HELD_MAX) {
                held.decrementAndGet();
                return false;
            }
            isHeld = true;
            return true;
        }

        private boolean isThrottled() {
            AdaptiveThrottle throttle = throttles.get(context.criticality());
            return throttle != null && !throttle.admits();
        }

        private void send(long leftNanos) {
            NodePicker.Pick pick = nodes.pick(tried, stay.node);
            tried.add(pick.known());
            int attempt = made++;
            tally.attempts.increment();
            if (attempt > 0) {
                tally.retries.increment();
            }
            CompletionStage<T> stage;
            try {
                stage = call.on(
                        pick.node(), context.withDeadline(share(leftNanos)).withAttempt(attempt));
            } catch (RuntimeException e) {
                stage = CompletableFuture.failedFuture(e);
            }
            stage.whenComplete((value, error) -> {
                if (error == null) {
                    accepted(pick);
                    stay.node = Optional.of(pick.known());
                    tally.succeeded.increment();
                    answer.complete(value);
                } else {
                    failed(pick, Failures.of(error));
                }
            });
        }

        /**
         * How long one attempt may take. Where others can follow, half of what is left, so that a node that hangs costs
         * no more than that.
         */
        private Duration share(long remainingNanos) {
            boolean last = made >= config.attemptsMax() || nodes.size() == 1;
            long share = last ? remainingNanos : remainingNanos / 2;
            return Duration.ofNanos(Math.max(share, NANOS_PER_MILLI));
        }

        private void accepted(NodePicker.Pick pick) {
            AdaptiveThrottle throttle = throttles.get(context.criticality());
            if (throttle != null) {
                throttle.accepted();
            }
            if (answered == Answered.AT_ONCE) {
                pick.answered();
            } else {
                pick.answeredAfterWaiting();
            }
        }

        private void failed(NodePicker.Pick pick, RegistryException error) {
            lastError = Optional.of(error);
            if (error instanceof Overloaded overloaded) {
                rejected(pick, overloaded);
            } else if (error instanceof OutcomeUnknown) {
                outcomeUnknown = true;
                pick.silent();
                repeat(error, Optional.empty());
            } else if (error instanceof Unreachable) {
                pick.gone();
                repeat(error, Optional.empty());
            } else if (error instanceof NotReady notReady) {
                pick.gone();
                repeat(error, notReady.retryAfter());
            } else {
                accepted(pick);
                tally.succeeded.increment();
                answer.completeExceptionally(error);
            }
        }

        private void rejected(NodePicker.Pick pick, Overloaded error) {
            tally.rejected.increment();
            AdaptiveThrottle throttle = throttles.get(context.criticality());
            if (throttle != null) {
                throttle.rejected();
            }
            switch (error.signal()) {
                case STOP -> {
                    pick.answeredAfterWaiting();
                    fail(error);
                }
                case RETRY_AFTER -> {
                    pick.answeredAfterWaiting();
                    Duration asked = error.retryAfter().orElse(BUSY_FOR);
                    holds.ask(context.criticality(), asked);
                    goOn(error, asked.plus(backoff.pause(waits++, random)));
                }
                case TRY_ELSEWHERE -> {
                    pick.busy(error.retryAfter().orElse(BUSY_FOR));
                    repeat(error, Optional.empty());
                }
            }
        }

        /** Goes on at another node at once, or where all were tried after a pause. */
        private void repeat(RegistryException error, Optional<Duration> asked) {
            // What was asked for comes on top, so that those who were asked don't come back all at once.
            goOn(
                    error,
                    tried.size() < nodes.size()
                            ? Duration.ZERO
                            : asked.orElse(Duration.ZERO).plus(backoff.pause(waits++, random)));
        }

        private void goOn(RegistryException error, Duration delay) {
            long leftNanos = deadlineNanos - nanos.getAsLong() - delay.toNanos();
            if (made >= config.attemptsMax() || leftNanos < NANOS_PER_MILLI) {
                fail(error);
            } else if (!takeRetry(error)) {
                tally.retriesRefused.increment();
                fail(error);
            } else if (delay.isZero()) {
                next();
            } else {
                resumeAfter(delay, error);
            }
        }

        private boolean takeRetry(RegistryException error) {
            if (repeating == Repeating.WITHIN_SHARE && !nodes.hasFine(tried)) {
                return false; // it comes again by itself, and what is left of the budget will be of use then
            }
            boolean withinShare = error instanceof Overloaded || repeating == Repeating.WITHIN_SHARE;
            return withinShare ? budget.tryRetryWithinShare() : budget.tryRetry();
        }

        private void resumeAfter(Duration delay, RegistryException otherwise) {
            waiting.add(this);
            try {
                timer.after(delay, this::resume);
            } catch (RejectedExecutionException e) {
                if (waiting.remove(this)) {
                    letGo();
                    fail(otherwise);
                }
                return;
            }
            if (closed) { // it may have been missed by close
                resume();
            }
        }

        private void resume() {
            if (waiting.remove(this)) {
                letGo();
                next();
            }
        }

        private void letGo() {
            if (isHeld) {
                isHeld = false;
                held.decrementAndGet();
            }
        }

        /** A call that may have been carried out by one node did not certainly fail because another was not there. */
        private void fail(RegistryException error) {
            tally.failed.increment();
            boolean elsewhere = error instanceof Unreachable
                    || error instanceof NotReady
                    || (error instanceof Overloaded overloaded && overloaded.signal() == Signal.TRY_ELSEWHERE);
            answer.completeExceptionally(
                    outcomeUnknown && elsewhere
                            ? new OutcomeUnknown(
                                    "sent to a node that gave no answer; then: " + error.getMessage(), error)
                            : error);
        }
    }
}
