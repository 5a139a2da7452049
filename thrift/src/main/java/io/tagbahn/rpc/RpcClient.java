// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unreachable;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.thrift.TBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one address, whose calls share its connections: many can be under way on each.
 *
 * <p>Connects when there is something to send, and again when a connection was lost, after a random delay that grows
 * with each failure. Nothing is ever sent twice.
 */
public final class RpcClient implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RpcClient.class);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(2);
    private static final Duration DEADLINE_MAX = Duration.ofDays(1);

    final LongAdder lateReplies = new LongAdder();
    final AtomicInteger connectionsOpen = new AtomicInteger();

    private final InetSocketAddress address;
    private final RpcClientConfig config;
    private final Optional<RpcTls> tls;
    private final LongSupplier nanoTicker;
    private final RandomGenerator random;
    private final ClientConnection[] connections;
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final Runnable ended = pending::decrementAndGet;
    private volatile boolean closed;

    private RpcClient(
            RpcLoops loops,
            InetSocketAddress address,
            RpcClientConfig config,
            Optional<RpcTls> tls,
            RandomGenerator random) {
        this.address = address;
        this.tls = tls;
        this.config = config;
        this.random = random;
        nanoTicker = loops.nanoTicker();
        connections = new ClientConnection[config.connections()];
        for (int i = 0; i < connections.length; i++) {
            connections[i] = new ClientConnection(this, loops.nextDeadlines(), loops.hostLookup());
        }
    }

    /**
     * Makes a client; it connects with its first call.
     *
     * @param address resolved, or a host name that is looked up anew for each connection
     * @param random for the delays before reconnecting; used under a lock
     */
    public static RpcClient create(
            RpcLoops loops, InetSocketAddress address, RpcClientConfig config, RandomGenerator random) {
        return new RpcClient(loops, address, config, Optional.empty(), random);
    }

    /** Makes a client whose connections are encrypted where there is a {@code tls}. */
    public static RpcClient create(
            RpcLoops loops,
            InetSocketAddress address,
            RpcClientConfig config,
            Optional<RpcTls> tls,
            RandomGenerator random) {
        return new RpcClient(loops, address, config, tls, random);
    }

    public InetSocketAddress address() {
        return address;
    }

    /** Calls begun and not ended. */
    public int callsPending() {
        return pending.get();
    }

    /** Connections open now. */
    public int connectionsOpen() {
        return connectionsOpen.get();
    }

    /** Answers that came after their call had ended, and were dropped. */
    public long lateReplies() {
        return lateReplies.sum();
    }

    /**
     * Starts a call.
     *
     * <p>The stage completes with the result struct as it came, declared exceptions inside, or exceptionally with
     * {@link Unreachable} where the call certainly was not sent, {@link io.tagbahn.model.OutcomeUnknown} where it was
     * and no answer came in time or before the connection was lost, {@link Overloaded} where as many calls are pending
     * as are allowed, {@link io.tagbahn.model.RegistryFault} where the other side answered with an application
     * exception or with what can't be read. It completes on an event loop: what follows must not block. Cancelling the
     * future drops the answer.
     *
     * @param arguments not to be changed any more
     * @param deadline how long the caller waits, a day at the most; where nothing is left of it, the call is not sent
     */
    public <A extends TBase<?, ?>, R extends TBase<?, ?>> CompletionStage<R> call(
            String method, A arguments, Supplier<R> newResult, Duration deadline) {
        if (closed) {
            return CompletableFuture.failedFuture(new Unreachable("client of " + address + " is closed"));
        }
        if (deadline.compareTo(DEADLINE_MAX) > 0) {
            throw new IllegalArgumentException("deadline " + deadline + " > " + DEADLINE_MAX);
        }
        if (deadline.isNegative() || deadline.isZero()) {
            return CompletableFuture.failedFuture(new Unreachable("no time left for " + method));
        }
        if (pending.incrementAndGet() > config.callsPendingMax()) {
            pending.decrementAndGet();
            return CompletableFuture.failedFuture(new Overloaded(
                    config.callsPendingMax() + " calls to " + address + " are pending",
                    Signal.TRY_ELSEWHERE,
                    Optional.empty()));
        }
        int index = connections.length == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), connections.length);
        ClientConnection connection = connections[index];
        PendingCall<R> call = new PendingCall<>(
                method, arguments, newResult, nanoTicker.getAsLong() + deadline.toNanos(), connection.expiry, ended);
        connection.submit(call);
        return call;
    }

    RpcClientConfig config() {
        return config;
    }

    Optional<RpcTls> tls() {
        return tls;
    }

    LongSupplier nanoTicker() {
        return nanoTicker;
    }

    long randomBelow(long bound) {
        synchronized (random) {
            return random.nextLong(bound);
        }
    }

    /** Ends the calls that are pending, and the connections. Does not wait where it is called on an event loop. */
    @Override
    public void close() {
        closed = true;
        CountDownLatch done = new CountDownLatch(connections.length);
        boolean onLoop = false;
        for (ClientConnection connection : connections) {
            onLoop |= connection.onLoop();
            connection.close(done::countDown);
        }
        if (onLoop) {
            return;
        }
        try {
            if (!done.await(CLOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("client of {} did not close within {}", address, CLOSE_BOUND);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
