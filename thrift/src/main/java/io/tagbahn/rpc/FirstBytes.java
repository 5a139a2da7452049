// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The first bytes of a connection: they tell in which form of Thrift it speaks, six at the most.
 *
 * <p>A strict binary message begins with 80 01, a compact one with 82 and a byte whose low five bits are the version,
 * 1. Read as the length of a frame both are negative. So such a beginning is an unframed message, and such bytes after
 * four others a framed one.
 */
final class FirstBytes {

    private static final int BINARY = 0x80;
    private static final int COMPACT = 0x82;

    private FirstBytes() {}

    /** The form of a connection that begins like this; empty where more bytes are needed. */
    static Optional<WireForm> recognise(ByteBuf bytes, int frameBytesMax) throws BrokenStream {
        int count = bytes.readableBytes();
        int at = bytes.readerIndex();
        if (count == 0) {
            return Optional.empty();
        }
        int first = bytes.getUnsignedByte(at);
        if (first == BINARY || first == COMPACT) {
            return begin(bytes, at, count, false);
        }
        if (count < 4) {
            return Optional.empty();
        }
        int length = bytes.getInt(at);
        if (length <= 0 || length > frameBytesMax) {
            throw notThrift(bytes, length);
        }
        return begin(bytes, at + 4, count - 4, true);
    }

    private static Optional<WireForm> begin(ByteBuf bytes, int at, int count, boolean framed) throws BrokenStream {
        if (count < 1) {
            return Optional.empty();
        }
        int first = bytes.getUnsignedByte(at);
        if (first != BINARY && first != COMPACT) {
            throw notThrift(bytes, framed ? bytes.getInt(bytes.readerIndex()) : -1);
        }
        if (count < 2) {
            return Optional.empty();
        }
        int second = bytes.getUnsignedByte(at + 1);
        if (first == BINARY && second == 1) {
            return Optional.of(WireForm.of(framed, false));
        }
        if (first == COMPACT && (second & CompactWire.VERSION_MASK) == CompactWire.VERSION) {
            return Optional.of(WireForm.of(framed, true));
        }
        throw notThrift(bytes, framed ? bytes.getInt(bytes.readerIndex()) : -1);
    }

    private static BrokenStream notThrift(ByteBuf bytes, int length) {
        return new BrokenStream(
                CloseReason.NOT_THRIFT,
                guess(bytes, length) + ", beginning "
                        + ByteBufUtil.hexDump(bytes, bytes.readerIndex(), Math.min(bytes.readableBytes(), 8)));
    }

    /** What the bytes look like, for the log. */
    private static String guess(ByteBuf bytes, int length) {
        int at = bytes.readerIndex();
        int count = bytes.readableBytes();
        int text = 0;
        while (text < Math.min(count, 8) && isText(bytes.getByte(at + text))) {
            text++;
        }
        if (text >= 4) {
            String start = bytes.toString(at, 4, StandardCharsets.US_ASCII);
            return switch (start) {
                case "GET ", "POST", "PUT ", "HEAD", "DELE", "OPTI", "PATC", "CONN", "TRAC", "PRI " ->
                    "an HTTP request";
                default -> "text";
            };
        }
        if (count >= 2 && bytes.getByte(at) == 0x16 && bytes.getByte(at + 1) == 3) {
            return "a TLS hello";
        }
        if (count >= 4 && bytes.getByte(at + 2) == 1 && bytes.getByte(at + 3) == 0 && length > 0) {
            return "a TChannel init";
        }
        return "neither framed nor unframed Thrift";
    }

    private static boolean isText(byte b) {
        return (b >= 0x20 && b < 0x7F) || b == '\r' || b == '\n' || b == '\t';
    }
}
