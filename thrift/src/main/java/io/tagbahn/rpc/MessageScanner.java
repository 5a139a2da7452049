// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TType;

/**
 * Finds where an unframed message ends, as its bytes come in.
 *
 * <p>Nothing says how long such a message is, so its structure has to be walked. The walk goes on where it stopped when
 * more bytes come, so that every byte is looked at once however small the pieces are. It keeps the limits that the
 * protocols keep, and so refuses a size before the bytes that it announces are waited for.
 */
final class MessageScanner {

    private enum Stage {
        VERSION,
        SEQUENCE_ID,
        NAME,
        TRAILER,
        BODY,
        END
    }

    private enum Kind {
        STRUCT,
        LIST,
        MAP
    }

    private static final int INCOMPLETE = -1;

    private final boolean compact;
    private final MessageLimits limits;

    private final Kind[] kinds;
    /** Values still to come on each level. */
    private final long[] left;

    private final byte[] keyTypes;
    private final byte[] valueTypes;

    private Stage stage = Stage.VERSION;
    private int depth;
    private int entriesLeft;
    /** Bytes of the message that are behind. */
    private int scanned;
    /** Bytes after those that need no looking at. */
    private long skip;
    /** Type of a value whose length or head comes next; STOP where none does. */
    private byte pendingType = TType.STOP;

    private int number;

    MessageScanner(boolean compact, MessageLimits limits) {
        this.compact = compact;
        this.limits = limits;
        kinds = new Kind[limits.depthMax()];
        left = new long[limits.depthMax()];
        keyTypes = new byte[limits.depthMax()];
        valueTypes = new byte[limits.depthMax()];
        entriesLeft = limits.containerEntriesMax();
    }

    /** Begins the next message. */
    void reset() {
        stage = Stage.VERSION;
        depth = 0;
        entriesLeft = limits.containerEntriesMax();
        scanned = 0;
        skip = 0;
        pendingType = TType.STOP;
    }

    /** Bytes of the message that begins at the reader index, or -1 where its end isn't there yet. */
    int scan(ByteBuf bytes) throws BrokenStream {
        int start = bytes.readerIndex();
        int available = bytes.readableBytes();
        try {
            while (true) {
                if (skip > 0) {
                    int step = (int) Math.min(skip, available - scanned);
                    scanned += step;
                    skip -= step;
                    if (skip > 0) {
                        return INCOMPLETE;
                    }
                }
                if (stage == Stage.END) {
                    return scanned;
                }
                int used = step(bytes, start + scanned, available - scanned);
                if (used == INCOMPLETE) {
                    return INCOMPLETE;
                }
                scanned += used;
                if (scanned + skip > limits.frameBytesMax()) {
                    throw new MessageTooLong(limits.frameBytesMax());
                }
            }
        } catch (TProtocolException e) {
            throw new BrokenStream(CloseReason.PROTOCOL_ERROR, String.valueOf(e.getMessage()));
        }
    }

    /** Whether the head of the message, with its name and sequence id, has been passed. */
    boolean headComplete() {
        return stage == Stage.BODY || stage == Stage.END;
    }

    /** Takes the next element; answers how many bytes it took. */
    private int step(ByteBuf bytes, int at, int count) throws TProtocolException {
        return switch (stage) {
            case VERSION -> version(bytes, at, count);
            case SEQUENCE_ID -> {
                stage = Stage.NAME;
                yield varint(bytes, at, count, 5, Stage.SEQUENCE_ID);
            }
            case NAME -> name(bytes, at, count);
            case TRAILER -> {
                if (count < 4) {
                    yield INCOMPLETE;
                }
                beginBody();
                yield 4;
            }
            case BODY -> pendingType == TType.STOP ? element(bytes, at, count) : value(bytes, at, count);
            case END -> 0;
        };
    }

    private int version(ByteBuf bytes, int at, int count) throws TProtocolException {
        int size = compact ? 2 : 4;
        if (count < size) {
            return INCOMPLETE;
        }
        boolean right = compact
                ? bytes.getByte(at) == CompactWire.PROTOCOL_ID
                        && (bytes.getByte(at + 1) & CompactWire.VERSION_MASK) == CompactWire.VERSION
                : (bytes.getInt(at) & 0xFFFFFF00) == BinaryWire.VERSION;
        if (!right) {
            throw new TProtocolException(TProtocolException.BAD_VERSION, "message of another protocol or version");
        }
        stage = compact ? Stage.SEQUENCE_ID : Stage.NAME;
        return size;
    }

    private int name(ByteBuf bytes, int at, int count) throws TProtocolException {
        int used = length(bytes, at, count);
        if (used == INCOMPLETE) {
            return INCOMPLETE;
        }
        if (number < 0 || number > MethodNames.BYTES_MAX) {
            throw new TProtocolException(TProtocolException.SIZE_LIMIT, "method name of " + number + " bytes");
        }
        skip = number;
        if (compact) {
            beginBody();
        } else {
            stage = Stage.TRAILER;
        }
        return used;
    }

    private void beginBody() throws TProtocolException {
        stage = Stage.BODY;
        enter(Kind.STRUCT, 0, TType.STOP, TType.STOP);
    }

    private void enter(Kind kind, long values, byte keyType, byte valueType) throws TProtocolException {
        if (depth == limits.depthMax()) {
            throw new TProtocolException(
                    TProtocolException.DEPTH_LIMIT, "nested deeper than " + limits.depthMax() + " levels");
        }
        kinds[depth] = kind;
        left[depth] = values;
        keyTypes[depth] = keyType;
        valueTypes[depth] = valueType;
        depth++;
    }

    private void leave() {
        if (--depth == 0) {
            stage = Stage.END;
        }
    }

    private int element(ByteBuf bytes, int at, int count) throws TProtocolException {
        int level = depth - 1;
        if (kinds[level] == Kind.STRUCT) {
            return compact ? compactField(bytes, at, count) : binaryField(bytes, at, count);
        }
        if (left[level] == 0) {
            leave();
            return 0;
        }
        byte type = kinds[level] == Kind.MAP && (left[level] & 1) == 0 ? keyTypes[level] : valueTypes[level];
        int fixed = fixedBytes(type);
        if (fixed > 0 && kinds[level] == Kind.LIST) {
            skip = left[level] * fixed;
            left[level] = 0;
            return 0;
        }
        left[level]--;
        begin(type);
        return 0;
    }

    private int binaryField(ByteBuf bytes, int at, int count) throws TProtocolException {
        if (count < 1) {
            return INCOMPLETE;
        }
        byte type = bytes.getByte(at);
        if (type == TType.STOP) {
            leave();
            return 1;
        }
        if (count < 3) {
            return INCOMPLETE;
        }
        begin(type);
        return 3;
    }

    private int compactField(ByteBuf bytes, int at, int count) throws TProtocolException {
        if (count < 1) {
            return INCOMPLETE;
        }
        byte head = bytes.getByte(at);
        if (head == TType.STOP) {
            leave();
            return 1;
        }
        int used = 1;
        if ((head & 0xF0) == 0) {
            int idBytes = varint(bytes, at + 1, count - 1, 5, stage);
            if (idBytes == INCOMPLETE) {
                return INCOMPLETE;
            }
            used += idBytes;
        }
        byte type = CompactWire.type(head);
        // The head of a boolean field is its value too.
        if (type != TType.BOOL) {
            begin(type);
        }
        return used;
    }

    private void begin(byte type) throws TProtocolException {
        int fixed = fixedBytes(type);
        if (fixed > 0) {
            skip = fixed;
        } else if (type == TType.STRUCT) {
            enter(Kind.STRUCT, 0, TType.STOP, TType.STOP);
        } else {
            bytesMin(type);
            pendingType = type;
        }
    }

    /** Takes the length of a string, the head of a container or a number of variable length. */
    private int value(ByteBuf bytes, int at, int count) throws TProtocolException {
        byte type = pendingType;
        int used = switch (type) {
            case TType.STRING -> string(bytes, at, count);
            case TType.LIST, TType.SET -> list(bytes, at, count);
            case TType.MAP -> map(bytes, at, count);
            default -> varint(bytes, at, count, type == TType.I64 ? 10 : 5, stage);
        };
        if (used != INCOMPLETE) {
            pendingType = TType.STOP;
        }
        return used;
    }

    private int string(ByteBuf bytes, int at, int count) throws TProtocolException {
        int used = length(bytes, at, count);
        if (used != INCOMPLETE) {
            if (number < 0 || number > limits.stringBytesMax()) {
                throw new TProtocolException(TProtocolException.SIZE_LIMIT, "string of " + number + " bytes");
            }
            skip = number;
        }
        return used;
    }

    private int list(ByteBuf bytes, int at, int count) throws TProtocolException {
        int used = 5;
        byte type;
        if (compact) {
            if (count < 1) {
                return INCOMPLETE;
            }
            byte head = bytes.getByte(at);
            number = (head >> 4) & 0x0F;
            used = 1;
            if (number == 15) {
                int sizeBytes = varint(bytes, at + 1, count - 1, 5, stage);
                if (sizeBytes == INCOMPLETE) {
                    return INCOMPLETE;
                }
                used += sizeBytes;
            }
            type = number == 0 ? TType.STOP : CompactWire.type(head);
        } else {
            if (count < 5) {
                return INCOMPLETE;
            }
            type = bytes.getByte(at);
            number = bytes.getInt(at + 1);
        }
        if (number != 0) {
            checkEntries(number, bytesMin(type));
        }
        enter(Kind.LIST, number, TType.STOP, type);
        return used;
    }

    private int map(ByteBuf bytes, int at, int count) throws TProtocolException {
        int used = 6;
        byte keyType = TType.STOP;
        byte valueType = TType.STOP;
        if (compact) {
            used = varint(bytes, at, count, 5, stage);
            if (used == INCOMPLETE || (number != 0 && count == used)) {
                return INCOMPLETE;
            }
            if (number != 0) {
                byte types = bytes.getByte(at + used++);
                keyType = CompactWire.type(types >> 4);
                valueType = CompactWire.type(types);
            }
        } else {
            if (count < 6) {
                return INCOMPLETE;
            }
            keyType = bytes.getByte(at);
            valueType = bytes.getByte(at + 1);
            number = bytes.getInt(at + 2);
        }
        if (number != 0) {
            checkEntries(number, bytesMin(keyType) + bytesMin(valueType));
        }
        enter(Kind.MAP, 2L * number, keyType, valueType);
        return used;
    }

    private void checkEntries(int entries, int entryBytesMin) throws TProtocolException {
        entriesLeft -= Math.max(entries, 0);
        if (entries < 0 || entriesLeft < 0 || (long) entries * entryBytesMin > limits.frameBytesMax() - scanned) {
            throw new TProtocolException(TProtocolException.SIZE_LIMIT, "container of " + entries + " entries");
        }
    }

    private int length(ByteBuf bytes, int at, int count) throws TProtocolException {
        if (compact) {
            return varint(bytes, at, count, 5, stage);
        }
        if (count < 4) {
            return INCOMPLETE;
        }
        number = bytes.getInt(at);
        return 4;
    }

    /** Takes a number of variable length; where it isn't all there the stage is set back. */
    private int varint(ByteBuf bytes, int at, int count, int bytesMax, Stage stageIfIncomplete)
            throws TProtocolException {
        long value = 0;
        for (int i = 0; i < bytesMax; i++) {
            if (i == count) {
                stage = stageIfIncomplete;
                return INCOMPLETE;
            }
            byte b = bytes.getByte(at + i);
            value |= (long) (b & 0x7F) << (7 * i);
            if (b >= 0) {
                number = (int) value;
                return i + 1;
            }
        }
        throw new TProtocolException(TProtocolException.INVALID_DATA, "number of more than " + bytesMax + " bytes");
    }

    private int bytesMin(byte type) throws TProtocolException {
        return compact ? CompactWire.bytesMin(type) : BinaryWire.bytesMin(type);
    }

    /** Bytes of every value of a type, or 0 where they differ. */
    private int fixedBytes(byte type) {
        return switch (type) {
            case TType.BOOL, TType.BYTE -> 1;
            case TType.DOUBLE -> 8;
            case TType.UUID -> 16;
            case TType.I16 -> compact ? 0 : 2;
            case TType.I32 -> compact ? 0 : 4;
            case TType.I64 -> compact ? 0 : 8;
            default -> 0;
        };
    }
}
