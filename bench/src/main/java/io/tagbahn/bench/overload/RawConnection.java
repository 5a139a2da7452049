// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection that sends requests and looks at no more of the answers than whether they are good ones. */
final class RawConnection implements AutoCloseable {

    private static final int OUT_BYTES = 1 << 18;
    private static final int IN_BYTES = 1 << 18;
    private static final int SUCCESS = 0;
    private static final int OVERLOADED = 4;
    private static final byte REPLY = 2;
    private static final byte I64 = 10;
    /** Behind the error's field: that of its signal, whole, and the type of the next. */
    private static final int WAIT_AT = 3 + 7;

    private static final int ANSWER_BYTES_MIN = 3 * Integer.BYTES + Requests.METHOD.length() + Integer.BYTES + 3;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);

    /** Bytes of an answer that are of no interest and have not come yet. */
    private int skip;

    /** What is told of each answer. */
    interface Answers {
        void good(int sequenceId);

        /** @param waitMillis that the caller is told to wait; -1 where it should go elsewhere */
        void refused(int sequenceId, long waitMillis);

        void failed(int sequenceId);
    }

    RawConnection(InetSocketAddress address) throws IOException {
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    SocketChannel channel() {
        return channel;
    }

    boolean put(Requests requests, int sequenceId) {
        return requests.put(out, sequenceId);
    }

    void flush() throws IOException {
        if (out.position() > 0) {
            out.flip();
            int written = channel.write(out);
            assert written >= 0;
            out.compact();
        }
    }

    /** Takes the answers that are there. */
    void read(Answers answers) throws IOException {
        int count = channel.read(in);
        if (count < 0) {
            throw new EOFException("a node has closed the connection");
        }
        in.flip();
        boolean more = true;
        while (more) {
            more = next(answers);
        }
        in.compact();
    }

    private boolean next(Answers answers) {
        int skipped = Math.min(skip, in.remaining());
        in.position(in.position() + skipped);
        skip -= skipped;
        int start = in.position();
        if (in.remaining() < Integer.BYTES) {
            return false;
        }
        int length = in.getInt(start);
        if (in.remaining() < Math.min(Integer.BYTES + length, ANSWER_BYTES_MIN + WAIT_AT + Long.BYTES + 1)) {
            return false;
        }
        int at = start + 2 * Integer.BYTES;
        boolean isReply = in.get(at - 1) == REPLY;
        at += Integer.BYTES + in.getInt(at);
        int sequenceId = in.getInt(at);
        at += Integer.BYTES;
        int field = in.getShort(at + 1);
        if (isReply && field == SUCCESS) {
            answers.good(sequenceId);
        } else if (isReply && field == OVERLOADED) {
            boolean waits = in.get(at + WAIT_AT) == I64;
            answers.refused(sequenceId, waits ? in.getLong(at + WAIT_AT + 3) : -1);
        } else {
            answers.failed(sequenceId);
        }
        skip = Integer.BYTES + length;
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
