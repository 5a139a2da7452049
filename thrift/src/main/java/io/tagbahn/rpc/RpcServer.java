// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Thrift server: framed and unframed, binary and compact, whatever each connection begins with.
 *
 * <p>Stock clients work as they are, one call at a time or pipelined. Limits and time-outs are those of
 * {@link RpcLimits}; what happens at each is counted in {@link #stats()}.
 */
// Channels report what fails through their handlers: the futures that their methods answer say nothing new.
@SuppressWarnings("FutureReturnValueIgnored")
public final class RpcServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RpcServer.class);
    private static final int BACKLOG = 1024;
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(2);
    private static final long ACCEPT_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SWEEP_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long SWEEP_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final ServerShared shared;
    private final Map<Channel, ServerConnection> connections = new ConcurrentHashMap<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Channel acceptor;
    private final ScheduledFuture<?> sweep;

    private RpcServer(RpcLoops loops, InetSocketAddress bind, ServerShared shared) {
        this.shared = shared;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.group())
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(new AcceptGate())
                .childOption(ChannelOption.TCP_NODELAY, true)
                // One that sends without end holds the others of its loop up no longer than a buffer takes.
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1))
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(
                                shared.limits.outboundBytesMax() / 2, shared.limits.outboundBytesMax()))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        open(channel);
                    }
                });
        var bound = bootstrap.bind(bind).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new UncheckedIOException(new IOException("cannot bind " + bind, bound.cause()));
        }
        acceptor = bound.channel();
        RpcLimits limits = shared.limits;
        long shortestNanos = Math.min(
                limits.idleTimeout().toNanos(),
                Math.min(
                        limits.firstFrameTimeout().toNanos(),
                        limits.stalledFrameTimeout().toNanos()));
        long sweepNanos = Math.max(SWEEP_NANOS_MIN, Math.min(SWEEP_NANOS_MAX, shortestNanos / 4));
        sweep = acceptor.eventLoop()
                .scheduleWithFixedDelay(this::checkTimes, sweepNanos, sweepNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Binds and serves.
     *
     * @param bind port 0 takes a free one
     * @throws UncheckedIOException if the address can't be bound
     */
    public static RpcServer start(RpcLoops loops, InetSocketAddress bind, RpcService service, RpcLimits limits) {
        return start(loops, bind, service, limits, CallGate.open());
    }

    /**
     * Binds and serves the calls that a gate lets in.
     *
     * @throws UncheckedIOException if the address can't be bound
     */
    public static RpcServer start(
            RpcLoops loops, InetSocketAddress bind, RpcService service, RpcLimits limits, CallGate gate) {
        return new RpcServer(loops, bind, new ServerShared(service, limits, Optional.empty(), gate, loops));
    }

    /**
     * Binds and serves encrypted connections only; a handshake takes as long as a first frame may at most.
     *
     * @throws UncheckedIOException if the address can't be bound
     */
    public static RpcServer start(
            RpcLoops loops, InetSocketAddress bind, RpcService service, RpcLimits limits, RpcTls tls) {
        return new RpcServer(loops, bind, new ServerShared(service, limits, Optional.of(tls), CallGate.open(), loops));
    }

    /** The address that is bound. */
    public InetSocketAddress address() {
        return (InetSocketAddress) acceptor.localAddress();
    }

    public RpcServerStats stats() {
        return shared.counters.snapshot(shared.permits.taken());
    }

    private void open(Channel channel) {
        ServerConnection connection = new ServerConnection(shared, channel);
        connections.put(channel, connection);
        channel.closeFuture().addListener(ended -> connections.remove(channel));
        shared.tls.ifPresent(
                tls -> channel.pipeline().addLast("tls", Handshakes.handler(tls, shared.limits.firstFrameTimeout())));
        channel.pipeline().addLast("rpc", connection);
        if (closing.get()) {
            channel.close();
        }
    }

    private void checkTimes() {
        long nowNanos = shared.nanoTicker.getAsLong();
        for (Map.Entry<Channel, ServerConnection> entry : connections.entrySet()) {
            entry.getKey().eventLoop().execute(() -> entry.getValue().checkTime(nowNanos));
        }
    }

    @Override
    public void close() {
        close(CLOSE_BOUND);
    }

    /** Stops accepting, lets the calls in flight finish within the bound, closes. Not to be called on a loop. */
    public void close(Duration drain) {
        if (!closing.compareAndSet(false, true)) {
            awaitClosed(drain.plus(CLOSE_BOUND));
            return;
        }
        try {
            acceptor.close().awaitUninterruptibly(CLOSE_BOUND.toMillis());
            connections.forEach((channel, connection) -> channel.eventLoop().execute(connection::drain));
            boolean drained = awaitConnections(drain);
            if (!drained) {
                log.info("closing {} connections with calls in flight", connections.size());
                connections.keySet().forEach(Channel::close);
                awaitConnections(CLOSE_BOUND);
            }
            sweep.cancel(false);
        } finally {
            closed.countDown();
        }
    }

    private void awaitClosed(Duration bound) {
        try {
            if (!closed.await(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("server did not close within {}", bound);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitConnections(Duration bound) {
        long endNanos = shared.nanoTicker.getAsLong() + bound.toNanos();
        for (Channel channel : connections.keySet()) {
            long leftNanos = endNanos - shared.nanoTicker.getAsLong();
            if (leftNanos <= 0 || !channel.closeFuture().awaitUninterruptibly(leftNanos, TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    /** Closes connections above the limit before anything is set up for them. */
    private final class AcceptGate extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Channel channel = (Channel) message;
            if (shared.counters.connections.incrementAndGet() > shared.limits.connectionsMax()) {
                shared.counters.connections.decrementAndGet();
                shared.counters.closed(CloseReason.CONNECTION_LIMIT);
                shared.logClose(
                        CloseReason.CONNECTION_LIMIT,
                        channel.remoteAddress(),
                        shared.limits.connectionsMax() + " are open");
                channel.unsafe().closeForcibly();
                return;
            }
            channel.closeFuture().addListener(ended -> shared.counters.connections.decrementAndGet());
            shared.counters.accepted.increment();
            context.fireChannelRead(message);
        }

        /** Where no connection can be accepted, as without file descriptors, waits before the next attempt. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            shared.logFailure("accepting a connection", cause);
            Channel accepting = context.channel();
            accepting.config().setAutoRead(false);
            accepting
                    .eventLoop()
                    .schedule(() -> accepting.config().setAutoRead(true), ACCEPT_PAUSE_NANOS, TimeUnit.NANOSECONDS);
        }
    }
}
