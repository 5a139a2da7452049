// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The method names read lately, found by their bytes, so that a call needs no new text for its name. */
final class MethodNames {

    static final int BYTES_MAX = 255;

    private static final int SLOTS = 64;

    private final @Nullable String[] names = new String[SLOTS];

    /** The name in the next bytes, which are then read; null and nothing read where it isn't known. */
    @Nullable
    String find(ByteBuf buffer, int bytes) {
        int start = buffer.readerIndex();
        int hash = 0;
        for (int i = 0; i < bytes; i++) {
            hash = 31 * hash + buffer.getByte(start + i);
        }
        String name = names[hash & (SLOTS - 1)];
        if (name == null || name.length() != bytes || name.hashCode() != hash) {
            return null;
        }
        for (int i = 0; i < bytes; i++) {
            if (name.charAt(i) != buffer.getByte(start + i)) {
                return null;
            }
        }
        buffer.skipBytes(bytes);
        return name;
    }

    String add(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80) {
                // It hashes to something else than its bytes do, and would never be found.
                return name;
            }
        }
        names[name.hashCode() & (SLOTS - 1)] = name;
        return name;
    }
}
