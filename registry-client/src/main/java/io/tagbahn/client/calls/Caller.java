// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Instance;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A service to be called, found through the registry: it keeps the list of its hosts fresh, picks one for each call, and
 * guards the call.
 *
 * <pre>{@code
 * Caller books = Caller.of(registry, CallTarget.named("books"));
 * String page = books.call(Idempotency.IDEMPOTENT, host -> http.get(host.address(), "/page/7", host.remaining()));
 * }</pre>
 *
 * <p>One for each service and process is enough: what it has learnt of the hosts, and what it bounds, counts for all calls
 * together. Safe for use by many threads. It is closed before the registry client is.
 */
public final class Caller implements AutoCloseable {

    private static final Duration SWEEP = Duration.ofSeconds(1);

    private final CallParts parts;
    private final HostFeed feed;
    private final Runnable end;
    private volatile boolean closed;

    private Caller(PartsOfThis made, HostFeed feed, Runnable end) {
        this.parts = made.with(() -> closed);
        this.feed = feed;
        this.end = end;
    }

    /** The parts, for a caller that says whether it is closed. */
    private interface PartsOfThis {
        CallParts with(BooleanSupplier isClosed);
    }

    /** A caller with everything on; it begins to watch the hosts, and calls wait for the first list. */
    public static Caller of(RegistryClient registry, CallTarget target) {
        return of(registry, target, CallerConfig.defaults());
    }

    /** A caller as configured. */
    public static Caller of(RegistryClient registry, CallTarget target, CallerConfig config) {
        return of(registry, target, config, FailureKind::of, CallListener.NONE);
    }

    /**
     * A caller as configured.
     *
     * @param kinds what an attempt's failure says; {@link FailureKind#of} where nothing else is known
     * @param listener is told of what is decided
     */
    public static Caller of(
            RegistryClient registry,
            CallTarget target,
            CallerConfig config,
            Function<Throwable, FailureKind> kinds,
            CallListener listener) {
        return of(new RegistryFeed(registry, target), target, config, kinds, listener);
    }

    /** A caller of hosts that are given and do not change, without a registry. */
    public static Caller of(List<Instance> hosts, CallTarget target, CallerConfig config) {
        List<Instance> given = List.copyOf(hosts);
        return of(
                new HostFeed() {
                    @Override
                    public void start(Sink sink) {
                        sink.listed(given, true);
                    }

                    @Override
                    public void close() {}
                },
                target,
                config,
                FailureKind::of,
                CallListener.NONE);
    }

    /** The composition root: the only place where a caller meets the clock of the machine and chance. */
    private static Caller of(
            HostFeed feed,
            CallTarget target,
            CallerConfig config,
            Function<Throwable, FailureKind> kinds,
            CallListener listener) {
        CallTimerThread timer = new CallTimerThread("tagbahn-caller");
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        return started(feed, target, config, kinds, listener, timer, timer::close, System::nanoTime, random);
    }

    static Caller started(
            HostFeed feed,
            CallTarget target,
            CallerConfig config,
            Function<Throwable, FailureKind> kinds,
            CallListener listener,
            CallTimer timer,
            Runnable end,
            LongSupplier nanos,
            RandomGenerator random) {
        Caller caller = new Caller(
                isClosed -> CallParts.of(target, config, kinds, listener, timer, nanos, random, isClosed), feed, end);
        caller.sweepLater();
        feed.start(caller::listed);
        return caller;
    }

    private void listed(Collection<Instance> instances, boolean complete) {
        if (!closed) {
            parts.roster().listed(instances, complete);
        }
    }

    private void sweepLater() {
        Duration pause = parts.config().ejection().map(EjectionConfig::interval).orElse(SWEEP);
        parts.timer().after(pause, () -> {
            if (!closed) { // also ends the series: a closed timer runs tasks at once
                parts.roster().sweep();
                sweepLater();
            }
        });
    }

    // ------------------------------------------------------------ calls

    /**
     * Makes a call, and waits for its answer.
     *
     * @param call blocks; runs on this thread, once for each attempt
     * @return what the function returned
     * @throws CallFailure where no host has answered; its type says what is known
     * @throws RuntimeException the function's own, where it is the host's answer ({@link FailureKind#ANSWERED}) or a mistake
     */
    public <T> T call(Idempotency idempotency, HostCall<T> call) {
        return call(parts.config().timeout(), idempotency, call);
    }

    /** The same with a deadline of its own: what is left of the one that this service was given. */
    public <T> T call(Duration timeout, Idempotency idempotency, HostCall<T> call) {
        CallingThread thread = new CallingThread();
        GuardedCall<T> guarded = new GuardedCall<>(
                parts, idempotency, timeout, host -> CompletableFuture.completedFuture(call.on(host)), thread, true);
        CompletableFuture<T> answer = guarded.start();
        try {
            thread.runUntil(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw guarded.interrupted(e);
        }
        return result(answer);
    }

    private static <T> T result(CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException("waited for an answer that was there", e);
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : new CallFailed(String.valueOf(cause), cause);
    }

    /**
     * Makes a call that does not block. Cancelling the stage's future gives the call up.
     *
     * @param call the first attempt on this thread, others on the thread {@code tagbahn-caller}: it may not block
     * @return completes where the function's stage completed, or on {@code tagbahn-caller}; fails as {@link #call} throws
     */
    public <T> CompletionStage<T> callAsync(Idempotency idempotency, AsyncHostCall<T> call) {
        return callAsync(parts.config().timeout(), idempotency, call);
    }

    /** The same with a deadline of its own: what is left of the one that this service was given. */
    public <T> CompletionStage<T> callAsync(Duration timeout, Idempotency idempotency, AsyncHostCall<T> call) {
        return new GuardedCall<>(parts, idempotency, timeout, call, parts.timer(), false).start();
    }

    // ------------------------------------------------------------ looking

    /** What was counted since it was opened. */
    public CallCounters counters() {
        return parts.tally().counters();
    }

    /** The hosts that are known, as they are seen at the moment. */
    public List<HostView> hosts() {
        return parts.roster().views();
    }

    /** Makes no further attempts; calls that are under way come to their end. May be called again. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        feed.close();
        end.run();
    }

    @Override
    public String toString() {
        return "Caller[" + parts.target() + "]";
    }
}
