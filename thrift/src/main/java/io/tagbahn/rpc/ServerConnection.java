// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializable;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a server: messages in, calls, answers out.
 *
 * <p>Calls run side by side and are answered as they complete; only where a sequence id repeats among the calls in
 * flight are its answers kept in order, since a client that numbers its calls like that matches answers by order. A
 * connection that has as many calls in flight as are allowed, or does not take its answers, is not read from until
 * that is over: nothing is queued for it. Everything runs on the event loop of the channel, except that results may
 * come in from other threads.
 */
// Channels report what fails through their handlers: the futures that their methods answer say nothing new.
@SuppressWarnings("FutureReturnValueIgnored")
final class ServerConnection extends ChannelInboundHandlerAdapter {

    /** Less than this in a receive buffer is not counted as memory for messages on their way. */
    private static final int UNCOUNTED_BYTES = 1 << 16;

    private final ServerShared shared;
    private final Channel channel;
    private final MessageCutter cutter;
    private final ConnectionClock clock;
    private final AnswerBatch batch;
    private final AnswerQueue answers;
    private final Queue<CallInFlight> completed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean completedScheduled = new AtomicBoolean();

    private int callsInFlight;
    private boolean reading;
    private boolean serving;
    private boolean flushScheduled;
    private boolean awaitingPermit;
    private boolean draining;
    private boolean closed;
    private long heldBytes;

    /** Whether the other side is known to be one that is spoken with: at once where connections are plain. */
    private boolean admitted;

    private Optional<String> peerName = Optional.empty();
    private @Nullable CloseReason closeReason;

    ServerConnection(ServerShared shared, Channel channel) {
        this.shared = shared;
        this.channel = channel;
        cutter = new MessageCutter(channel.alloc(), shared.messageLimits);
        batch = new AnswerBatch(shared, channel);
        answers = new AnswerQueue(channel, batch, this::form);
        clock = new ConnectionClock(
                shared.limits, shared.loops.times(channel.eventLoop()), shared.nanoTicker.getAsLong());
        admitted = shared.tls.isEmpty();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            try {
                Throwable failure = handshake.cause();
                if (failure == null) {
                    SSLSession session =
                            context.pipeline().get(SslHandler.class).engine().getSession();
                    peerName = Optional.of(shared.tls.orElseThrow().admit(session));
                    admitted = true;
                } else if (failure instanceof SSLException broken) {
                    tlsFailed(broken);
                }
            } catch (SSLException refused) {
                tlsFailed(refused);
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void tlsFailed(SSLException failure) {
        close(Handshakes.reason(failure), Handshakes.told(failure));
    }

    // ------------------------------------------------------------ in

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (closed || closeReason != null || !bytes.isReadable()) {
            bytes.release();
            return;
        }
        reading = true;
        shared.counters.bytesIn.add(bytes.readableBytes());
        clock.received(bytes.readableBytes(), !bytes.isWritable(), shared.nanoTicker.getAsLong());
        cutter.add(bytes);
        serve();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        cutter.trim();
        accountMemory();
        flush();
    }

    /** Begins the calls that are there, as far as the limits allow. */
    private void serve() {
        if (serving) {
            return;
        }
        serving = true;
        try {
            while (mayBegin() && cutter.next()) {
                if (!shared.permits.take()) {
                    cutter.putBack();
                    awaitPermit();
                    break;
                }
                callsInFlight++;
                begin(cutter.message());
                cutter.consumed();
                clock.messageTaken();
            }
        } catch (BrokenStream broken) {
            refuse(broken);
        } finally {
            serving = false;
        }
        accountMemory();
        updateReading();
    }

    private boolean mayBegin() {
        return !closed
                && closeReason == null
                && !draining
                && !awaitingPermit
                && callsInFlight < shared.limits.callsInFlightPerConnectionMax()
                && answers.held() == 0
                && channel.isWritable();
    }

    private void updateReading() {
        boolean read = mayBegin();
        if (channel.config().isAutoRead() != read) {
            clock.readingChanged(read, shared.nanoTicker.getAsLong());
            channel.config().setAutoRead(read);
        }
    }

    private void awaitPermit() {
        awaitingPermit = true;
        shared.permits.await(() -> execute(() -> {
            awaitingPermit = false;
            serve();
            flushLater();
            shared.permits.passOn();
        }));
    }

    private void accountMemory() {
        // What a receive buffer holds anyway is not counted.
        long held = cutter.partialBytes() > UNCOUNTED_BYTES ? cutter.heldBytes() : 0;
        long change = held - heldBytes;
        if (change == 0) {
            return;
        }
        heldBytes = held;
        if (shared.counters.inboundBytes.addAndGet(change) > shared.limits.inboundBytesMax() && change > 0) {
            close(
                    CloseReason.INBOUND_LIMIT,
                    "messages on their way hold more than " + shared.limits.inboundBytesMax() + " bytes");
        }
    }

    private void begin(ByteBuf message) throws BrokenStream {
        WireProtocol protocol = shared.protocol(form().compact());
        protocol.readFrom(message);
        CallInFlight call = readHead(protocol);
        call.begunNanos = shared.nanoTicker.getAsLong();
        shared.counters.calls.increment();
        RpcService.Method<?, ?> method = shared.service.method(call.method);
        if (method == null) {
            shared.counters.unknownMethods.increment();
            finish(call, new TApplicationException(TApplicationException.UNKNOWN_METHOD, "no method " + call.method));
        } else if (isRefused(call)) {
            protocol.done();
        } else {
            invoke(method, call, protocol);
        }
    }

    private boolean isRefused(CallInFlight call) {
        long nowNanos = call.begunNanos;
        Optional<? extends TSerializable> refusal =
                shared.door(channel.eventLoop()).refusal(call.method, nowNanos - clock.unreadSinceNanos(), nowNanos);
        refusal.ifPresent(answer -> finish(call, answer));
        return refusal.isPresent();
    }

    private CallInFlight readHead(WireProtocol protocol) throws BrokenStream {
        try {
            TMessage head = protocol.readMessageBegin();
            if (head.type == TMessageType.CALL || head.type == TMessageType.ONEWAY) {
                return new CallInFlight(head.name, head.seqid, head.type == TMessageType.ONEWAY);
            }
            throw broken("message of type " + head.type);
        } catch (TException e) {
            throw broken(String.valueOf(e.getMessage()));
        }
    }

    private BrokenStream broken(String why) {
        callsInFlight--;
        shared.permits.release();
        return new BrokenStream(CloseReason.PROTOCOL_ERROR, why);
    }

    private <A extends TBase<?, ?>, R extends TBase<?, ?>> void invoke(
            RpcService.Method<A, R> method, CallInFlight call, WireProtocol protocol) {
        A arguments = method.newArguments().get();
        try {
            arguments.read(protocol);
            if (protocol.buffer.isReadable()) {
                throw new TException(protocol.buffer.readableBytes() + " bytes after the arguments");
            }
        } catch (TException | RuntimeException e) {
            // Generated code throws unchecked exceptions too where bytes make no sense.
            shared.counters.protocolErrors.increment();
            finish(
                    call,
                    new TApplicationException(
                            TApplicationException.PROTOCOL_ERROR, call.method + ": " + e.getMessage()));
            return;
        } catch (Error e) {
            fail(call, e); // for want of memory, perhaps: the call must not stay open for that
            return;
        } finally {
            protocol.done();
        }
        CompletionStage<R> stage;
        try {
            stage = method.handler().handle(arguments, new RpcCall(peer(), clock.lastReadNanos(), peerName));
        } catch (RuntimeException | Error e) {
            fail(call, e);
            return;
        }
        if (stage instanceof CompletableFuture<R> future && future.isDone() && !future.isCompletedExceptionally()) {
            finish(call, future.join());
            return;
        }
        answers.enqueue(call);
        shared.door(channel.eventLoop()).waits(call.method);
        call.waits = true;
        stage.whenComplete((result, failure) -> complete(call, result, failure));
    }

    // ------------------------------------------------------------ answers

    /** Takes the result of a call; runs on any thread. */
    private void complete(CallInFlight call, @Nullable TSerializable result, @Nullable Throwable failure) {
        if (result == null) {
            call.reply = failure(call, failure == null ? new NullPointerException("no result") : failure);
        } else {
            call.reply = result;
        }
        if (channel.eventLoop().inEventLoop() && !serving) {
            callEnded(call);
            advance(call);
            afterAnswers();
            return;
        }
        completed.add(call);
        if (completedScheduled.compareAndSet(false, true)) {
            execute(this::answerCompleted);
        }
    }

    private void answerCompleted() {
        completedScheduled.set(false);
        CallInFlight call = completed.poll();
        while (call != null) {
            callEnded(call);
            advance(call);
            call = completed.poll();
        }
        afterAnswers();
    }

    private void afterAnswers() {
        if (closed) {
            return;
        }
        serve();
        flushLater();
        closeIfDrained();
    }

    private void fail(CallInFlight call, Throwable failure) {
        finish(call, failure(call, failure));
    }

    private TApplicationException failure(CallInFlight call, Throwable failure) {
        shared.counters.handlerFailures.increment();
        shared.logFailure(call.method, failure);
        return new TApplicationException(TApplicationException.INTERNAL_ERROR, call.method + " failed");
    }

    /** Answers a call that was begun just now. */
    private void finish(CallInFlight call, TSerializable reply) {
        callEnded(call);
        if (!closed) {
            answers.finish(call, reply);
        }
    }

    private void callEnded(CallInFlight call) {
        callsInFlight--;
        shared.permits.release();
        long nowNanos = call.waits ? shared.nanoTicker.getAsLong() : call.begunNanos;
        clock.callEnded(nowNanos);
        if (call.waits) {
            shared.door(channel.eventLoop()).answered(call.method, nowNanos - call.begunNanos);
        }
    }

    private void advance(CallInFlight call) {
        if (!closed) {
            answers.advance(call);
        }
    }

    private void flush() {
        batch.flush();
        closeIfDrained();
    }

    /** Flushes at the end of what is read now, or else of what is on the loop now. */
    private void flushLater() {
        if (!reading && !flushScheduled && !batch.isEmpty()) {
            flushScheduled = true;
            execute(() -> {
                flushScheduled = false;
                if (!closed) {
                    flush();
                }
            });
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        clock.writabilityChanged(channel.isWritable(), shared.nanoTicker.getAsLong());
        if (closed) {
            return;
        }
        if (channel.isWritable()) {
            answers.resume();
            serve();
            flushLater();
            closeIfDrained();
        } else {
            updateReading();
        }
    }

    // ------------------------------------------------------------ end

    /** Refuses a stream that makes no sense, with an answer where the call is known. */
    private void refuse(BrokenStream broken) {
        ByteBuf rest = cutter.rest();
        if (broken.reason() == CloseReason.PROTOCOL_ERROR && cutter.brokeBehindHead() && rest != null) {
            WireProtocol protocol = shared.protocol(form().compact());
            protocol.readFrom(rest);
            try {
                TMessage head = protocol.readMessageBegin();
                if (head.type == TMessageType.CALL) {
                    shared.counters.protocolErrors.increment();
                    batch.add(
                            new CallInFlight(head.name, head.seqid, false),
                            new TApplicationException(TApplicationException.PROTOCOL_ERROR, broken.getMessage()),
                            form());
                }
            } catch (TException e) {
                // The head is as bad as the rest: nobody to answer.
                shared.logClose(broken.reason(), peer(), String.valueOf(e.getMessage()));
            } finally {
                protocol.done();
            }
        }
        close(broken.reason(), String.valueOf(broken.getMessage()));
    }

    /** Closes, once what has been answered is written. */
    void close(CloseReason reason, String why) {
        if (closed || closeReason != null) {
            return;
        }
        closeReason = reason;
        if (reason != CloseReason.SERVER_CLOSED && reason != CloseReason.IDLE) {
            shared.logClose(reason, peer(), why);
        }
        batch.write();
        channel.config().setAutoRead(false);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        if (reason == CloseReason.STALLED_READER || !admitted) {
            channel.close();
        }
    }

    /** Takes no more calls, and closes when those in flight are answered. */
    void drain() {
        draining = true;
        updateReading();
        flushLater();
        closeIfDrained();
    }

    private void closeIfDrained() {
        if (draining && callsInFlight == 0 && answers.isEmpty()) {
            close(CloseReason.SERVER_CLOSED, "server closed");
        }
    }

    /** Closes a connection whose time is over. */
    void checkTime(long nowNanos) {
        if (closed || closeReason != null) {
            if (!closed && clock.closingSince(nowNanos)) {
                channel.close();
            }
            return;
        }
        CloseReason due = clock.due(
                nowNanos,
                callsInFlight + answers.held(),
                cutter.form().isPresent(),
                cutter.partialBytes(),
                channel.isWritable(),
                channel.bytesBeforeWritable());
        if (due != null) {
            close(due, "no headway in time");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (closed) {
            return;
        }
        closed = true;
        shared.counters.closed(closeReason == null ? CloseReason.PEER : closeReason);
        shared.counters.inboundBytes.addAndGet(-heldBytes);
        heldBytes = 0;
        cutter.release();
        answers.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        SSLException broken = Handshakes.failure(cause);
        if (broken != null) {
            tlsFailed(broken);
            channel.close();
            return;
        }
        if (!(cause instanceof java.io.IOException)) {
            shared.logFailure("connection of " + peer(), cause);
        }
        if (closeReason == null) {
            closeReason = CloseReason.NETWORK_ERROR;
        }
        channel.close();
    }

    private WireForm form() {
        return cutter.form().orElseThrow();
    }

    private SocketAddress peer() {
        return channel.remoteAddress();
    }

    private void execute(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            // The loops have been stopped, and the connection with them.
            shared.logClose(CloseReason.SERVER_CLOSED, peer(), "event loops stopped");
        }
    }
}
