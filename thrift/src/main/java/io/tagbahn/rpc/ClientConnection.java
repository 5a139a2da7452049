// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.collection.IntObjectHashMap;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Unreachable;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a client, opened when there is a call to send and opened again when it was lost.
 *
 * <p>Everything runs on one event loop; calls come in through a queue that the client bounds.
 */
// Channels report what fails through their handlers: the futures that their methods answer say nothing new.
@SuppressWarnings("FutureReturnValueIgnored")
final class ClientConnection {

    private static final Logger log = LoggerFactory.getLogger(RpcClient.class);
    private static final int BATCH_BYTES = 1 << 16;
    private static final int BATCH_BYTES_FIRST = 512;
    private static final int BACKOFF_DOUBLINGS_MAX = 20;

    private final RpcClient client;
    private final EventLoop loop;
    private final WireForm form;
    private final MessageLimits limits;
    private final WireProtocol protocol;
    private final Deadlines deadlines;
    private final HostLookup hostLookup;
    final Consumer<PendingCall<?>> expiry = this::expire;
    private final Queue<PendingCall<?>> submitted = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean drainScheduled = new AtomicBoolean();

    private final WaitingCalls waiting = new WaitingCalls();
    private final IntObjectHashMap<PendingCall<?>> inFlight = new IntObjectHashMap<>();
    private @Nullable Channel channel;
    private boolean connecting;
    private boolean backingOff;
    private int failedAttempts;
    private int lastSequenceId;
    private boolean reading;
    private boolean closed;

    ClientConnection(RpcClient client, Deadlines deadlines, HostLookup hostLookup) {
        this.client = client;
        this.hostLookup = hostLookup;
        this.deadlines = deadlines;
        loop = deadlines.loop();
        form = client.config().form();
        limits = client.config().message();
        protocol = WireProtocol.of(form.compact(), limits);
    }

    // ------------------------------------------------------------ calls

    /** Takes a call from any thread. */
    void submit(PendingCall<?> call) {
        submitted.add(call);
        if (drainScheduled.compareAndSet(false, true) && !(reading && loop.inEventLoop())) {
            execute(this::drain);
        }
    }

    private void drain() {
        drainScheduled.set(false);
        PendingCall<?> call = submitted.poll();
        while (call != null) {
            if (closed) {
                fail(call, new Unreachable("client of " + client.address() + " is closed"));
            } else {
                deadlines.add(call);
                waiting.add(call);
            }
            call = submitted.poll();
        }
        pump();
    }

    /** Writes the calls that wait, as long as the connection takes them. */
    private void pump() {
        if (waiting.isEmpty()) {
            return;
        }
        Channel open = channel;
        if (open == null) {
            connect();
            return;
        }
        ByteBuf batch = null;
        boolean any = false;
        PendingCall<?> call = waiting.first();
        while (call != null && open.isWritable()) {
            waiting.remove(call);
            if (batch == null) {
                batch = open.alloc().directBuffer(BATCH_BYTES_FIRST);
            }
            write(batch, call);
            if (batch.readableBytes() >= BATCH_BYTES) {
                open.write(batch, open.voidPromise());
                batch = null;
                any = true;
            }
            call = waiting.first();
        }
        if (batch != null && batch.isReadable()) {
            open.write(batch, open.voidPromise());
            any = true;
        } else if (batch != null) {
            batch.release();
        }
        if (any) {
            open.flush();
        }
    }

    private void write(ByteBuf batch, PendingCall<?> call) {
        if (call.isDone()) {
            // Cancelled before it was sent.
            deadlines.remove(call);
            call.end();
            return;
        }
        int start = batch.writerIndex();
        int sequenceId = nextSequenceId();
        try {
            if (form.framed()) {
                batch.writeInt(0);
            }
            protocol.writeTo(batch);
            protocol.writeMessageBegin(new TMessage(call.method, TMessageType.CALL, sequenceId));
            call.arguments.write(protocol);
            if (form.framed()) {
                batch.setInt(start, batch.writerIndex() - start - 4);
            }
        } catch (TException | RuntimeException e) {
            batch.writerIndex(start);
            deadlines.remove(call);
            fail(call, new RegistryFault("call of " + call.method + " can't be written: " + e.getMessage(), e));
            return;
        } finally {
            protocol.done();
        }
        call.written = true;
        call.sequenceId = sequenceId;
        inFlight.put(sequenceId, call);
    }

    private int nextSequenceId() {
        do {
            lastSequenceId++;
        } while (inFlight.containsKey(lastSequenceId));
        return lastSequenceId;
    }

    // ------------------------------------------------------------ answers

    private void receive(ByteBuf message) throws BrokenStream {
        protocol.readFrom(message);
        try {
            TMessage head;
            try {
                head = protocol.readMessageBegin();
            } catch (TException e) {
                throw new BrokenStream(CloseReason.PROTOCOL_ERROR, String.valueOf(e.getMessage()));
            }
            PendingCall<?> call = inFlight.remove(head.seqid);
            if (call == null) {
                // Its deadline has passed.
                client.lateReplies.increment();
                return;
            }
            deadlines.remove(call);
            receive(head, call);
        } finally {
            protocol.done();
        }
    }

    private <R extends TBase<?, ?>> void receive(TMessage head, PendingCall<R> call) throws BrokenStream {
        if (head.type == TMessageType.EXCEPTION) {
            fail(call, remoteFailure(call.method));
            return;
        }
        if (head.type != TMessageType.REPLY || !head.name.equals(call.method)) {
            String what = "answer of type " + head.type + " from " + head.name + " to a call of " + call.method;
            fail(call, new RegistryFault(what));
            throw new BrokenStream(CloseReason.PROTOCOL_ERROR, what);
        }
        R result = call.newResult.get();
        try {
            result.read(protocol);
            if (protocol.buffer.isReadable()) {
                throw new TException(protocol.buffer.readableBytes() + " bytes after the result");
            }
        } catch (TException | RuntimeException e) {
            fail(call, new RegistryFault("answer of " + call.method + " can't be read: " + e.getMessage(), e));
            return;
        }
        call.end();
        call.complete(result);
    }

    private RegistryFault remoteFailure(String method) {
        try {
            TApplicationException failure = TApplicationException.readFrom(protocol);
            return new RegistryFault(
                    method + " failed at " + client.address() + ": " + failure.getMessage() + " (application exception "
                            + failure.getType() + ")",
                    failure);
        } catch (TException | RuntimeException e) {
            return new RegistryFault("error answer of " + method + " can't be read: " + e.getMessage(), e);
        }
    }

    private static void fail(PendingCall<?> call, RegistryException failure) {
        call.end();
        call.completeExceptionally(failure);
    }

    // ------------------------------------------------------------ deadlines

    /** Ends a call whose deadline has passed. */
    private void expire(PendingCall<?> call) {
        if (call.written) {
            inFlight.remove(call.sequenceId);
            fail(call, new OutcomeUnknown("no answer of " + call.method + " from " + client.address() + " in time"));
        } else {
            waiting.remove(call);
            fail(call, new Unreachable("no connection to " + client.address() + " in time for " + call.method));
        }
    }

    // ------------------------------------------------------------ connection

    private void connect() {
        if (connecting || closed) {
            return;
        }
        if (backingOff) {
            if (client.config().whileDisconnected() == RpcClientConfig.WhileDisconnected.FAIL) {
                failWaiting(new Unreachable("no connection to " + client.address()));
            }
            return;
        }
        connecting = true;
        RpcClientConfig config = client.config();
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .resolver(hostLookup)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        config.connectTimeout().toMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(config.outboundBytesMax() / 2, config.outboundBytesMax()))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opening) {
                        client.tls()
                                .ifPresent(tls -> opening.pipeline()
                                        .addLast("tls", Handshakes.handler(tls, config.connectTimeout())));
                        opening.pipeline().addLast("rpc", new Inbound(opening));
                    }
                })
                .connect(client.address())
                .addListener(attempt -> {
                    if (!attempt.isSuccess()) {
                        connectFailed(attempt.cause());
                    }
                });
    }

    private void connectFailed(Throwable cause) {
        connecting = false;
        failedAttempts++;
        if (closed) {
            return;
        }
        if (client.config().whileDisconnected() == RpcClientConfig.WhileDisconnected.FAIL) {
            failWaiting(new Unreachable("cannot connect to " + client.address() + ": " + cause.getMessage(), cause));
        }
        backingOff = true;
        loop.schedule(
                () -> {
                    backingOff = false;
                    pump();
                },
                reconnectDelayNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Exponential, with full jitter. */
    private long reconnectDelayNanos() {
        RpcClientConfig config = client.config();
        long bound = config.reconnectDelayMin().toNanos() << Math.min(failedAttempts - 1, BACKOFF_DOUBLINGS_MAX);
        return client.randomBelow(Math.min(bound, config.reconnectDelayMax().toNanos()) + 1);
    }

    private void failWaiting(Unreachable failure) {
        PendingCall<?> call = waiting.first();
        while (call != null) {
            waiting.remove(call);
            deadlines.remove(call);
            fail(call, failure);
            call = waiting.first();
        }
    }

    private void lost(String why) {
        channel = null;
        List<PendingCall<?>> lost = new ArrayList<>(inFlight.values());
        inFlight.clear();
        for (PendingCall<?> call : lost) {
            deadlines.remove(call);
            fail(call, new OutcomeUnknown("connection to " + client.address() + " lost during " + call.method + why));
        }
        // Those that have not been sent go over the next connection.
        pump();
    }

    /** Ends every call and the connection; runs on the loop. */
    private void shut() {
        closed = true;
        drain();
        failWaiting(new Unreachable("client of " + client.address() + " is closed"));
        Channel open = channel;
        if (open != null) {
            lost("");
            open.close();
        }
    }

    boolean onLoop() {
        return loop.inEventLoop();
    }

    /** Begins to close; the task runs when that is done. */
    void close(Runnable done) {
        try {
            loop.execute(() -> {
                shut();
                done.run();
            });
        } catch (RejectedExecutionException e) {
            done.run();
        }
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            PendingCall<?> call = submitted.poll();
            while (call != null) {
                fail(call, new Unreachable("event loops are stopped", e));
                call = submitted.poll();
            }
        }
    }

    /** What the channel reports. */
    private final class Inbound extends ChannelInboundHandlerAdapter {

        private final Channel opened;
        private final MessageCutter cutter;
        private boolean counted;
        private String broken = "";

        Inbound(Channel opened) {
            this.opened = opened;
            cutter = new MessageCutter(opened.alloc(), limits, form);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (client.tls().isEmpty()) {
                opened();
            }
        }

        /** An encrypted connection is one when both sides know each other; until then nothing counts as sent. */
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                Throwable failure = handshake.cause();
                if (failure == null) {
                    try {
                        SSLSession session = context.pipeline()
                                .get(SslHandler.class)
                                .engine()
                                .getSession();
                        client.tls().orElseThrow().admit(session);
                        opened();
                        return;
                    } catch (SSLException refused) {
                        failure = refused;
                    }
                }
                connectFailed(
                        failure instanceof SSLException tls ? new SSLException(Handshakes.told(tls), tls) : failure);
                opened.close();
            }
        }

        private void opened() {
            connecting = false;
            if (closed) {
                opened.close();
                return;
            }
            client.connectionsOpen.incrementAndGet();
            counted = true;
            failedAttempts = 0;
            channel = opened;
            pump();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (channel != opened) {
                bytes.release();
                return;
            }
            reading = true;
            cutter.add(bytes);
            try {
                while (channel == opened && cutter.next()) {
                    receive(cutter.message());
                    cutter.consumed();
                }
            } catch (BrokenStream e) {
                log.warn("closing connection to {}: {}", client.address(), e.getMessage());
                opened.close();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            reading = false;
            cutter.trim();
            drain();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (opened.isWritable()) {
                pump();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            cutter.release();
            if (counted) {
                client.connectionsOpen.decrementAndGet();
            }
            if (channel == opened) {
                lost(broken);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            SSLException failure = Handshakes.failure(cause);
            if (failure != null) {
                // Also where the other side refuses this one, which it can only do once this side's handshake is over.
                broken = ": " + Handshakes.told(failure);
            } else if (!(cause instanceof java.io.IOException)) {
                log.warn("connection to {} failed", client.address(), cause);
            }
            opened.close();
        }
    }
}
