// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/** The time was over before the call was sent: no host has it. */
public final class DeadlineExceeded extends CallFailure {

    DeadlineExceeded(String message) {
        super(message, null);
    }
}
