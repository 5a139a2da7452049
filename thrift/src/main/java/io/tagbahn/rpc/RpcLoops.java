// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event-loop threads, and the clock, that servers and clients share. */
public final class RpcLoops implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RpcLoops.class);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    /** Host names looked up at a time: one that hangs does not hold up another. */
    private static final int LOOKUP_THREADS_MAX = 4;

    /** Lookups that wait for their turn; more fail, and are tried again with the next connection. */
    private static final int LOOKUPS_WAITING_MAX = 1_000;

    private static final int LOOKUP_IDLE_SECONDS = 10;

    private final MultiThreadIoEventLoopGroup group;
    private final LongSupplier nanoTicker;
    private final Map<EventLoop, Deadlines> deadlines = new ConcurrentHashMap<>();
    private final Map<ThreadAwareExecutor, LoopTimes> times = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor lookupThreads;
    private final HostLookup hostLookup;

    private RpcLoops(String name, int threads, LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
        IoHandlerFactory nio = NioIoHandler.newFactory();
        this.group = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), loop -> {
            LoopTimes timesOfLoop = new LoopTimes(nanoTicker);
            times.put(loop, timesOfLoop);
            return new TimedIo(nio.newHandler(loop), timesOfLoop);
        });
        this.lookupThreads = new ThreadPoolExecutor(
                LOOKUP_THREADS_MAX,
                LOOKUP_THREADS_MAX,
                LOOKUP_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(LOOKUPS_WAITING_MAX),
                new DefaultThreadFactory(name + "-lookup", true));
        lookupThreads.allowCoreThreadTimeOut(true);
        this.hostLookup = new HostLookup(InetAddress::getAllByName, lookupThreads);
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
        return new RpcLoops(name, threads, nanoTicker);
    }

    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    /** The deadlines kept by the loop whose turn it is. */
    Deadlines nextDeadlines() {
        return deadlines.computeIfAbsent(group.next(), loop -> new Deadlines(loop, nanoTicker));
    }

    /** What a loop of these does with its time. */
    LoopTimes times(EventLoop loop) {
        return Objects.requireNonNull(times.get(loop));
    }

    HostLookup hostLookup() {
        return hostLookup;
    }

    LongSupplier nanoTicker() {
        return nanoTicker;
    }

    /** Stops the threads, whatever still runs on them. Close servers and clients before. */
    @Override
    public void close() {
        hostLookup.close();
        lookupThreads.shutdownNow();
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
