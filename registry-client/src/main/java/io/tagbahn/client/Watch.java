// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * Something that is watched until it is closed: one call after the other waits for the answer to change, at whatever node.
 * A listener that is slow is told the newest answer when it is through.
 */
public final class Watch implements AutoCloseable {

    private static final Duration WAIT = Duration.ofSeconds(30);
    /** For the call besides its wait; twice, because a first attempt may take half of the time. */
    private static final Duration BESIDES = Duration.ofSeconds(5);

    private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);

    private final ClientRuntime runtime;
    private final WatchedTarget target;
    private final Told told;
    private volatile Optional<String> token = Optional.empty();
    private volatile boolean closed;
    private int failures;

    /** What is done with answers and errors; called by one thread at a time, and may block only where it says so. */
    interface Told {
        void answer(Watched answer);

        void error(RegistryException error);

        /** The watch was closed: nothing more may be told, not even what is on its way. */
        default void closed() {}
    }

    Watch(ClientRuntime runtime, WatchedTarget target, Told told) {
        this.runtime = runtime;
        this.target = target;
        this.told = told;
    }

    /** A watch that tells a listener. */
    static <A> Watch telling(
            ClientRuntime runtime,
            WatchedTarget target,
            Function<Watched, Optional<A>> answerOf,
            WatchListener<A> listener) {
        Latest<A> latest = new Latest<>(runtime.callbacks(), listener);
        return new Watch(runtime, target, new Told() {
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
                        latest.closed = true;
                    }
                })
                .start();
    }

    Watch start() {
        next();
        return this;
    }

    private void next() {
        if (closed || runtime.isClosed()) {
            return;
        }
        CompletionStage<Watched> call = runtime.guard()
                .call(
                        WAIT.plus(BESIDES).multipliedBy(2),
                        Criticality.NORMAL,
                        (node, context) -> node.meaning().watch(target, token, WAIT, context));
        call.whenComplete((answer, error) -> {
            if (closed) {
                return;
            }
            if (error == null) {
                failures = 0;
                token = Optional.of(answer.token());
                told.answer(answer);
                next();
            } else {
                failed(Failures.of(error));
            }
        });
    }

    private void failed(RegistryException error) {
        told.error(error);
        if (error instanceof InvalidArgument) {
            closed = true; // no repetition would do better
            return;
        }
        long capNanos = Math.min(BACKOFF_MAX.toNanos(), BACKOFF_MIN.toNanos() << Math.min(failures++, 16));
        try {
            runtime.timer()
                    .after(Duration.ofNanos(capNanos / 2 + runtime.random().nextLong(capNanos / 2 + 1)), this::next);
        } catch (RejectedExecutionException e) {
            closed = true; // the client is closed
        }
    }

    /** Ends it; a call that waits is not waited for. May be called again. */
    @Override
    public void close() {
        closed = true;
        told.closed();
    }

    /** The newest answer on its way to a listener; those that it was too slow for are left out. */
    private static final class Latest<A> {
        private final Callbacks callbacks;
        private final WatchListener<A> listener;
        private Optional<A> newest = Optional.empty();
        private volatile boolean closed;

        Latest(Callbacks callbacks, WatchListener<A> listener) {
            this.callbacks = callbacks;
            this.listener = listener;
        }

        void tell(A answer) {
            boolean idle;
            synchronized (this) {
                idle = newest.isEmpty();
                newest = Optional.of(answer);
            }
            if (idle) {
                callbacks.tell(() -> take().ifPresent(taken -> {
                    if (!closed) {
                        listener.changed(taken);
                    }
                }));
            }
        }

        void tell(RegistryException error) {
            callbacks.tell(() -> {
                if (!closed) {
                    listener.failed(error);
                }
            });
        }

        private synchronized Optional<A> take() {
            Optional<A> taken = newest;
            newest = Optional.empty();
            return taken;
        }
    }
}
