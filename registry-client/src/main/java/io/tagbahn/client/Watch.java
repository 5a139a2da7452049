// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Something that is watched until it is closed: one call after the other waits for the answer to change, at one node until
 * that fails, since another one may know of a change later and would tell what was told before. A listener that is slow is told the newest answer when it is through.
 */
public final class Watch implements AutoCloseable {

    private static final Duration WAIT = Duration.ofSeconds(30);
    /** For the call besides its wait; twice, because a first attempt may take half of the time. */
    private static final Duration BESIDES = Duration.ofSeconds(5);

    private final Loops loops;
    private final WatchedTarget target;
    private final Told told;
    private final CallGuard.Stay stay = new CallGuard.Stay();
    private volatile Optional<String> token = Optional.empty();
    private volatile boolean closed;
    private int failures;
    private long answeredNanos;

    /** What is done with answers and errors; called by one thread at a time, and may block only where it says so. */
    interface Told {
        void answer(Watched answer);

        void error(RegistryException error);

        /** The watch was closed: nothing more may be told, not even what is on its way. */
        default void closed() {}
    }

    Watch(Loops loops, WatchedTarget target, Told told) {
        this.loops = loops;
        this.target = target;
        this.told = told;
        this.answeredNanos = loops.nanos().getAsLong() - Loops.PAUSE.toNanos();
    }

    /** A watch that tells a listener. */
    static <A> Watch telling(
            Loops loops,
            Callbacks callbacks,
            WatchedTarget target,
            Function<Watched, Optional<A>> answerOf,
            WatchListener<A> listener) {
        Latest<A> latest = new Latest<>(callbacks, loops.timer(), listener);
        return new Watch(loops, target, new Told() {
                    @Override
                    public void answer(Watched answer) {
                        answerOf.apply(answer).ifPresent(latest::tell);
                    }

                    @Override
                    public void error(RegistryException error) {
                        latest.tell(error);
                    }

                    @Override
                    public void closed() {
                        latest.end();
                    }
                })
                .start();
    }

    Watch start() {
        next();
        return this;
    }

    private void next() {
        if (closed || loops.isClosed().getAsBoolean()) {
            return;
        }
        CompletionStage<Watched> call = loops.guard()
                .waitingCall(
                        WAIT.plus(BESIDES).multipliedBy(2),
                        stay,
                        (node, context) -> node.meaning().watch(target, token, WAIT, context));
        call.whenComplete((answer, error) -> {
            if (closed) {
                return;
            }
            if (error == null) {
                answered(answer);
            } else {
                failed(Failures.of(error));
            }
        });
    }

    private void answered(Watched answer) {
        long nowNanos = loops.nanos().getAsLong();
        Duration pause = loops.pauseSince(answeredNanos);
        answeredNanos = nowNanos + pause.toNanos();
        failures = 0;
        token = Optional.of(answer.token());
        told.answer(answer);
        goOn(pause);
    }

    private void failed(RegistryException error) {
        told.error(error);
        if (error instanceof InvalidArgument) {
            closed = true; // no repetition would do better
            return;
        }
        goOn(loops.pauseAfter(failures++));
    }

    private void goOn(Duration pause) {
        closed |= !loops.after(pause, this::next);
    }

    /** Ends it; a call that waits is not waited for. May be called again. */
    @Override
    public void close() {
        closed = true;
        told.closed();
    }

    /** The newest answer on its way to a listener; those that it was too slow for are left out. */
    private static final class Latest<A> {
        private final WatchListener<A> listener;
        private final Coalesced telling;
        /** What was not told yet; guarded by this. */
        private Optional<A> newest = Optional.empty();

        private Optional<RegistryException> failure = Optional.empty();
        private volatile boolean ended;

        Latest(Callbacks callbacks, Timer timer, WatchListener<A> listener) {
            this.listener = listener;
            this.telling = callbacks.coalesced(timer, this::tellNewest);
        }

        void tell(A answer) {
            synchronized (this) {
                newest = Optional.of(answer);
                failure = Optional.empty();
            }
            telling.ask();
        }

        /** Comes behind an answer that was not told yet. */
        void tell(RegistryException error) {
            synchronized (this) {
                failure = Optional.of(error);
            }
            telling.ask();
        }

        private void tellNewest() {
            Optional<A> answer;
            Optional<RegistryException> error;
            synchronized (this) {
                answer = newest;
                error = failure;
                newest = Optional.empty();
                failure = Optional.empty();
            }
            try {
                answer.filter(each -> !ended).ifPresent(listener::changed);
            } finally {
                error.filter(each -> !ended).ifPresent(listener::failed);
            }
        }

        void end() {
            ended = true;
            telling.end();
        }
    }
}
