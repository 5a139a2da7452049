// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event-loop threads, and the clock, that servers and clients share. */
public final class RpcLoops implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RpcLoops.class);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final MultiThreadIoEventLoopGroup group;
    private final LongSupplier nanoTicker;
    private final Map<EventLoop, Deadlines> deadlines = new ConcurrentHashMap<>();

    private RpcLoops(MultiThreadIoEventLoopGroup group, LongSupplier nanoTicker) {
        this.group = group;
        this.nanoTicker = nanoTicker;
    }

    /**
     * Starts the loops.
     *
     * @param name what the (daemon) threads are called, with a number behind it
     * @param threads 1..1024
     * @param nanoTicker monotonic nanoseconds, {@code System::nanoTime}
     */
    public static RpcLoops start(String name, int threads, LongSupplier nanoTicker) {
        RpcLimits.check("threads", threads, 1, 1024);
        return new RpcLoops(
                new MultiThreadIoEventLoopGroup(
                        threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory()),
                nanoTicker);
    }

    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    /** The deadlines kept by the loop whose turn it is. */
    Deadlines nextDeadlines() {
        return deadlines.computeIfAbsent(group.next(), loop -> new Deadlines(loop, nanoTicker));
    }

    LongSupplier nanoTicker() {
        return nanoTicker;
    }

    /** Stops the threads, whatever still runs on them. Close servers and clients before. */
    @Override
    public void close() {
        var ended = group.shutdownGracefully(0, CLOSE_BOUND.toMillis() / 2, TimeUnit.MILLISECONDS);
        try {
            if (!ended.await(CLOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("event loops did not end within {}", CLOSE_BOUND);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
