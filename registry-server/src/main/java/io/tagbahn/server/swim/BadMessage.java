// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** Bytes that are no message of ours; it stays inside the codec. */
final class BadMessage extends Exception {

    BadMessage(String reason) {
        // No stack trace: whoever sends such bytes should not make us work for it.
        super(reason, null, false, false);
    }
}
