// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What stands between a call and the nodes: it chooses the node, and repeats the call elsewhere, within one deadline. The
 * only place where calls are repeated.
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
        private volatile Optional<NodePicker.Candidate> node = Optional.empty();
    }

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final NodePicker nodes;
    private final CallConfig config;
    private final CallContext context;
    private final Timer timer;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final Set<Attempts<?>> waiting = ConcurrentHashMap.newKeySet(); // at most one for each call of the user
    private volatile boolean closed;

    /** @param context what all calls say of themselves */
    CallGuard(
            NodePicker nodes,
            CallConfig config,
            CallContext context,
            Timer timer,
            LongSupplier nanos,
            RandomGenerator random) {
        this.nodes = nodes;
        this.config = config;
        this.context = context;
        this.timer = timer;
        this.nanos = nanos;
        this.random = random;
    }

    <T> CompletableFuture<T> read(NodeCall<T> call) {
        return call(config.readTimeout(), Criticality.NORMAL, call);
    }

    <T> CompletableFuture<T> write(NodeCall<T> call) {
        return call(config.writeTimeout(), Criticality.NORMAL, call);
    }

    /** Fails with a {@link RegistryException} by the deadline, or succeeds. */
    <T> CompletableFuture<T> call(Duration timeout, Criticality criticality, NodeCall<T> call) {
        return call(timeout, criticality, new Stay(), call);
    }

    /** The same, of a series that stays with one node. */
    <T> CompletableFuture<T> call(Duration timeout, Criticality criticality, Stay stay, NodeCall<T> call) {
        CallContext sent = new CallContext(
                Optional.empty(), criticality, context.caller(), context.traceParent(), context.token(), 0);
        Attempts<T> attempts = new Attempts<>(call, stay, sent, nanos.getAsLong() + timeout.toNanos());
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
        private final Stay stay;
        private final CallContext context;
        private final long deadlineNanos;
        private final Set<NodePicker.Candidate> tried = new HashSet<>();
        private int made;
        private int waits;
        private boolean outcomeUnknown;

        Attempts(NodeCall<T> call, Stay stay, CallContext context, long deadlineNanos) {
            this.call = call;
            this.stay = stay;
            this.context = context;
            this.deadlineNanos = deadlineNanos;
        }

        void next() {
            if (closed) {
                fail(new Unreachable("the client is closed"));
                return;
            }
            NodePicker.Candidate candidate = nodes.pick(tried, stay.node);
            tried.add(candidate);
            int attempt = made++;
            Duration share = share(deadlineNanos - nanos.getAsLong());
            CompletionStage<T> stage;
            try {
                stage = call.on(candidate.node(), context.withDeadline(share).withAttempt(attempt));
            } catch (RuntimeException e) {
                stage = CompletableFuture.failedFuture(e);
            }
            stage.whenComplete((value, error) -> {
                if (error == null) {
                    nodes.answered(candidate);
                    stay.node = Optional.of(candidate);
                    answer.complete(value);
                } else {
                    failed(candidate, Failures.of(error));
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

        private void failed(NodePicker.Candidate candidate, RegistryException error) {
            outcomeUnknown |= error instanceof OutcomeUnknown;
            if (!elsewhere(error)) {
                nodes.answered(candidate);
                if (error instanceof Overloaded overloaded && overloaded.signal() == Signal.RETRY_AFTER) {
                    waitAndGoOn(error, overloaded.retryAfter());
                } else {
                    fail(error);
                }
                return;
            }
            nodes.failed(candidate);
            if (tried.size() < nodes.size()) {
                goOn(error, Duration.ZERO);
            } else {
                waitAndGoOn(error, error instanceof NotReady notReady ? notReady.retryAfter() : Optional.empty());
            }
        }

        private boolean elsewhere(RegistryException error) {
            return error instanceof Unreachable
                    || error instanceof OutcomeUnknown
                    || error instanceof NotReady
                    || (error instanceof Overloaded overloaded && overloaded.signal() == Signal.TRY_ELSEWHERE);
        }

        /** Full jitter; what the registry asked for comes on top, so that its callers don't come back all at once. */
        private void waitAndGoOn(RegistryException error, Optional<Duration> asked) {
            long capNanos =
                    Math.min(config.backoffMax().toNanos(), config.backoffMin().toNanos() << Math.min(waits++, 20));
            goOn(error, asked.orElse(Duration.ZERO).plusNanos(random.nextLong(capNanos + 1)));
        }

        private void goOn(RegistryException error, Duration delay) {
            long leftNanos = deadlineNanos - nanos.getAsLong() - delay.toNanos();
            if (made >= config.attemptsMax() || leftNanos < NANOS_PER_MILLI) {
                fail(error);
            } else if (delay.isZero()) {
                next();
            } else {
                waiting.add(this);
                try {
                    timer.after(delay, this::resume);
                } catch (RejectedExecutionException e) {
                    waiting.remove(this);
                    fail(error);
                    return;
                }
                if (closed) { // it may have been missed by close
                    resume();
                }
            }
        }

        private void resume() {
            if (waiting.remove(this)) {
                next();
            }
        }

        /** A call that may have been carried out by one node did not certainly fail because another was not there. */
        private void fail(RegistryException error) {
            answer.completeExceptionally(
                    outcomeUnknown && elsewhere(error) && !(error instanceof OutcomeUnknown)
                            ? new OutcomeUnknown(
                                    "sent to a node that gave no answer; then: " + error.getMessage(), error)
                            : error);
        }
    }
}
