// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

/** Wrong usage that the grammar of the options cannot express; the message says what to do. */
final class UsageError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageError(String message) {
        super(message, null, false, false);
    }
}
