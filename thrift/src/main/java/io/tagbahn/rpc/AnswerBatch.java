// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializable;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.jspecify.annotations.Nullable;

/** The answers of one connection, written one behind the other into one buffer until that goes to the channel. */
final class AnswerBatch {

    /** Size from which the buffer goes to the channel. */
    private static final int BATCH_BYTES = 1 << 16;

    private static final int BATCH_BYTES_FIRST = 512;

    private final ServerShared shared;
    private final Channel channel;
    private @Nullable ByteBuf batch;
    private boolean unflushed;

    AnswerBatch(ServerShared shared, Channel channel) {
        this.shared = shared;
        this.channel = channel;
    }

    /** Whether all answers are on their way: one that filled the buffer is with the channel, which holds it back. */
    boolean isEmpty() {
        return batch == null && !unflushed;
    }

    /** Adds an answer; one that is too long or can't be written becomes an error. */
    void add(CallInFlight call, TSerializable reply, WireForm form) {
        ByteBuf out = batch;
        if (out == null) {
            out = channel.alloc().directBuffer(BATCH_BYTES_FIRST);
            batch = out;
        }
        int start = out.writerIndex();
        try {
            append(out, call, reply, form);
        } catch (MessageTooLong e) {
            out.writerIndex(start);
            shared.counters.repliesTooLong.increment();
            appendError(out, call, "answer of " + call.method + " would be a " + e.getMessage(), form);
        } catch (TException | RuntimeException e) {
            out.writerIndex(start);
            shared.counters.handlerFailures.increment();
            shared.logFailure(call.method, e);
            appendError(out, call, call.method + " failed", form);
        }
        if (out.readableBytes() >= BATCH_BYTES) {
            write();
        }
    }

    private void append(ByteBuf out, CallInFlight call, TSerializable reply, WireForm form) throws TException {
        int start = out.writerIndex();
        if (form.framed()) {
            out.writeInt(0);
        }
        WireProtocol protocol = shared.protocol(form.compact());
        protocol.writeTo(out);
        try {
            byte type = reply instanceof TApplicationException ? TMessageType.EXCEPTION : TMessageType.REPLY;
            protocol.writeMessageBegin(new TMessage(call.method, type, call.sequenceId));
            reply.write(protocol);
        } finally {
            protocol.done();
        }
        if (form.framed()) {
            out.setInt(start, out.writerIndex() - start - Integer.BYTES);
        }
    }

    private void appendError(ByteBuf out, CallInFlight call, String message, WireForm form) {
        try {
            append(out, call, new TApplicationException(TApplicationException.INTERNAL_ERROR, message), form);
        } catch (TException e) {
            throw new IllegalStateException("error of " + call.method + " can't be written", e);
        }
    }

    /** Hands the answers to the channel, which does not flush them yet. */
    @SuppressWarnings("FutureReturnValueIgnored")
    void write() {
        ByteBuf out = batch;
        if (out != null) {
            batch = null;
            unflushed = true;
            shared.counters.bytesOut.add(out.readableBytes());
            channel.write(out, channel.voidPromise());
        }
    }

    /** Sends all answers on their way. */
    void flush() {
        write();
        unflushed = false;
        channel.flush();
    }

    void release() {
        ByteBuf out = batch;
        batch = null;
        if (out != null) {
            out.release();
        }
    }
}
