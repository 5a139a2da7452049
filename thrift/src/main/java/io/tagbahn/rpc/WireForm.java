// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

/** How messages are written on a connection: in frames or one after the other, in which protocol. */
enum WireForm {
    FRAMED_BINARY(true, false),
    FRAMED_COMPACT(true, true),
    UNFRAMED_BINARY(false, false),
    UNFRAMED_COMPACT(false, true);

    private final boolean framed;
    private final boolean compact;

    WireForm(boolean framed, boolean compact) {
        this.framed = framed;
        this.compact = compact;
    }

    static WireForm of(boolean framed, boolean compact) {
        if (framed) {
            return compact ? FRAMED_COMPACT : FRAMED_BINARY;
        }
        return compact ? UNFRAMED_COMPACT : UNFRAMED_BINARY;
    }

    boolean framed() {
        return framed;
    }

    boolean compact() {
        return compact;
    }
}
