// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

/** Bytes on a connection after which nothing on it can be understood: it has to be closed. */
final class BrokenStream extends Exception {

    private final CloseReason reason;

    BrokenStream(CloseReason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    CloseReason reason() {
        return reason;
    }
}
