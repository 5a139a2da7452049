// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads bounded values from a slice of bytes; whatever does not fit is a {@link BadMessage}. */
final class WireReader {

    private final byte[] bytes;
    private int at;
    private final int end;

    WireReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private WireReader(byte[] bytes, int at, int end) {
        this.bytes = bytes;
        this.at = at;
        this.end = end;
    }

    boolean hasMore() {
        return at < end;
    }

    int octet() throws BadMessage {
        if (at >= end) {
            throw new BadMessage("ends early");
        }
        return bytes[at++] & 0xFF;
    }

    /** An unsigned number of at most 63 bits, seven bits to the byte, the lowest first. */
    long varint() throws BadMessage {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int octet = octet();
            value |= (long) (octet & 0x7F) << shift;
            if (octet < 0x80) {
                return value;
            }
        }
        throw new BadMessage("a number of more than 63 bits");
    }

    int varint(String what, int max) throws BadMessage {
        long value = varint();
        if (value > max) {
            throw new BadMessage(what + " " + value + " > " + max);
        }
        return (int) value;
    }

    /** The next bytes, preceded by their length, as a reader of their own. */
    WireReader slice() throws BadMessage {
        int length = varint("length", end - at);
        // Reading the length moved on: look again.
        if (length > end - at) {
            throw new BadMessage("length " + length + " > " + (end - at) + " bytes that remain");
        }
        WireReader slice = new WireReader(bytes, at, at + length);
        at += length;
        return slice;
    }

    byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return rest;
    }

    /** All that is left, as UTF-8. */
    String restAsText(int bytesMax) throws BadMessage {
        if (end - at > bytesMax) {
            throw new BadMessage("text of " + (end - at) + " > " + bytesMax + " bytes");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, at, end - at))
                    .toString();
            at = end;
            return text;
        } catch (CharacterCodingException e) {
            throw new BadMessage("not UTF-8");
        }
    }
}
