// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes what {@link WireReader} reads. */
final class WireWriter {

    private byte[] bytes = new byte[128];
    private int length;

    int length() {
        return length;
    }

    WireWriter octet(int octet) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) octet;
        return this;
    }

    WireWriter varint(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("varint " + value + " < 0");
        }
        long rest = value;
        while (rest >= 0x80) {
            octet((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        return octet((int) rest);
    }

    WireWriter raw(byte[] more) {
        if (length + more.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more.length));
        }
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
        return this;
    }

    WireWriter slice(byte[] part) {
        return varint(part.length).raw(part);
    }

    WireWriter text(String text) {
        return slice(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A numbered field that holds a number. */
    WireWriter field(int tag, long value) {
        return octet(tag << 1).varint(value);
    }

    /** A numbered field that holds bytes. */
    WireWriter field(int tag, byte[] value) {
        return octet(tag << 1 | 1).slice(value);
    }

    /** A numbered field that holds text. */
    WireWriter field(int tag, String value) {
        return field(tag, value.getBytes(StandardCharsets.UTF_8));
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }
}
