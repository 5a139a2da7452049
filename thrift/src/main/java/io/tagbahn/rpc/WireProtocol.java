// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TStruct;

/**
 * A Thrift protocol that works on a Netty buffer, without a transport between.
 *
 * <p>The buffer ends where the message ends, so that every size read is compared with the bytes that are left before
 * anything is allocated for it. One object serves one message after the other, on one thread. Text has to be UTF-8 in
 * both directions: libthrift puts substitute characters in the place of bytes that are not.
 */
abstract sealed class WireProtocol extends TProtocol permits BinaryWire, CompactWire {

    static final TStruct ANONYMOUS = new TStruct("");

    /** Strings up to this length are read through a buffer that is kept. */
    private static final int SCRATCH_BYTES = 8192;

    private static final int FIELD_TYPES = 17;
    private static final int FIELD_IDS = 32;
    private static final TField[] FIELDS = fields();

    final MessageLimits limits;
    ByteBuf buffer = Unpooled.EMPTY_BUFFER;

    private final byte[] scratch = new byte[SCRATCH_BYTES];
    private final MethodNames names = new MethodNames();
    private int depth;
    private int entriesLeft;
    private int writeStart;

    WireProtocol(MessageLimits limits) {
        // Nesting is counted here, structs and containers alike; libthrift's own guard only has to come later.
        super(new NoTransport(
                new TConfiguration(limits.frameBytesMax(), limits.frameBytesMax(), limits.depthMax() + 2)));
        this.limits = limits;
    }

    static WireProtocol of(boolean compact, MessageLimits limits) {
        return compact ? new CompactWire(limits) : new BinaryWire(limits);
    }

    /** Reads the next message from the buffer, which ends where the message does. */
    final void readFrom(ByteBuf message) {
        buffer = message;
        depth = 0;
        entriesLeft = limits.containerEntriesMax();
        reset();
    }

    /** Appends the next message to the buffer. */
    final void writeTo(ByteBuf out) {
        buffer = out;
        writeStart = out.writerIndex();
        reset();
    }

    /** Lets go of the buffer. */
    final void done() {
        buffer = Unpooled.EMPTY_BUFFER;
    }

    // ------------------------------------------------------------ what both protocols share in reading

    final void enter() throws TProtocolException {
        if (++depth > limits.depthMax()) {
            throw new TProtocolException(
                    TProtocolException.DEPTH_LIMIT, "nested deeper than " + limits.depthMax() + " levels");
        }
    }

    final void leave() {
        depth--;
    }

    /** Refuses to go on where fewer bytes are left. */
    final void require(int bytes) throws TProtocolException {
        if (buffer.readableBytes() < bytes) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT, "ends " + (bytes - buffer.readableBytes()) + " bytes early");
        }
    }

    final void checkEntries(int entries, int entryBytesMin) throws TProtocolException {
        if (entries < 0) {
            throw new TProtocolException(TProtocolException.NEGATIVE_SIZE, "container of " + entries + " entries");
        }
        if ((long) entries * entryBytesMin > buffer.readableBytes()) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT,
                    "container of " + entries + " entries in " + buffer.readableBytes() + " bytes");
        }
        entriesLeft -= entries;
        if (entriesLeft < 0) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT,
                    "more than " + limits.containerEntriesMax() + " entries in the containers of a message");
        }
    }

    private void checkBytes(int bytes) throws TProtocolException {
        if (bytes < 0) {
            throw new TProtocolException(TProtocolException.NEGATIVE_SIZE, "string of " + bytes + " bytes");
        }
        if (bytes > limits.stringBytesMax()) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT,
                    "string of " + bytes + " bytes; up to " + limits.stringBytesMax() + " are allowed");
        }
        require(bytes);
    }

    final String readText(int bytes) throws TProtocolException {
        checkBytes(bytes);
        if (bytes == 0) {
            return "";
        }
        byte[] source = bytes <= SCRATCH_BYTES ? scratch : new byte[bytes];
        buffer.readBytes(source, 0, bytes);
        String text = new String(source, 0, bytes, StandardCharsets.UTF_8);
        // Decoding puts U+FFFD where the bytes are not UTF-8; where it was sent as such, it encodes to the same bytes.
        if (text.indexOf('\uFFFD') >= 0
                && !Arrays.equals(
                        text.getBytes(StandardCharsets.UTF_8),
                        source == scratch ? Arrays.copyOf(scratch, bytes) : source)) {
            throw new TProtocolException(TProtocolException.INVALID_DATA, "string that is not UTF-8");
        }
        return text;
    }

    final String readName(int bytes) throws TProtocolException {
        if (bytes < 0 || bytes > MethodNames.BYTES_MAX) {
            throw new TProtocolException(
                    TProtocolException.SIZE_LIMIT,
                    "method name of " + bytes + " bytes; up to " + MethodNames.BYTES_MAX + " are allowed");
        }
        require(bytes);
        String known = names.find(buffer, bytes);
        return known != null ? known : names.add(readText(bytes));
    }

    final ByteBuffer readBytes(int bytes) throws TProtocolException {
        checkBytes(bytes);
        byte[] copy = new byte[bytes];
        buffer.readBytes(copy);
        return ByteBuffer.wrap(copy);
    }

    /** Fields are immutable: the common ones exist once. */
    static TField field(byte type, short id) {
        if (type >= 0 && type < FIELD_TYPES && id >= 0 && id < FIELD_IDS) {
            return FIELDS[type * FIELD_IDS + id];
        }
        return new TField("", type, id);
    }

    private static TField[] fields() {
        TField[] fields = new TField[FIELD_TYPES * FIELD_IDS];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = new TField("", (byte) (i / FIELD_IDS), (short) (i % FIELD_IDS));
        }
        return fields;
    }

    // ------------------------------------------------------------ what both protocols share in writing

    /** Refuses to go on where the message would grow past its limit. */
    final void room(int bytes) throws MessageTooLong {
        if ((long) buffer.writerIndex() - writeStart + bytes > limits.frameBytesMax()) {
            throw new MessageTooLong(limits.frameBytesMax());
        }
    }

    abstract void writeLength(int bytes) throws TException;

    @Override
    public final void writeString(String text) throws TException {
        room(text.length());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // A lone surrogate becomes a question mark. Decoding all is faster than a look at each character.
        if (!new String(bytes, StandardCharsets.UTF_8).equals(text)) {
            throw new TProtocolException(
                    TProtocolException.INVALID_DATA, "text with a lone surrogate has no UTF-8 form");
        }
        writeLength(bytes.length);
        room(bytes.length);
        buffer.writeBytes(bytes);
    }

    @Override
    public final void writeBinary(ByteBuffer bytes) throws TException {
        int length = bytes.remaining();
        writeLength(length);
        room(length);
        buffer.writeBytes(bytes.duplicate());
    }

    @Override
    public final void writeUuid(UUID uuid) throws TException {
        room(16);
        buffer.writeLong(uuid.getMostSignificantBits());
        buffer.writeLong(uuid.getLeastSignificantBits());
    }

    @Override
    public final UUID readUuid() throws TException {
        require(16);
        return new UUID(buffer.readLong(), buffer.readLong());
    }

    // ------------------------------------------------------------ what takes no bytes

    @Override
    public final void readMessageEnd() {}

    @Override
    public final void readFieldEnd() {}

    @Override
    public final void readMapEnd() {
        leave();
    }

    @Override
    public final void readListEnd() {
        leave();
    }

    @Override
    public final void readSetEnd() {
        leave();
    }

    @Override
    public final void writeMessageEnd() {}

    @Override
    public final void writeFieldEnd() {}

    @Override
    public final void writeMapEnd() {}

    @Override
    public final void writeListEnd() {}

    @Override
    public final void writeSetEnd() {}
}
