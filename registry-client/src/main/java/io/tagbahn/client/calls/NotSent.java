// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/**
 * The call certainly did not reach a host: thrown by the function that makes it, it allows another host to be asked whatever
 * the call does; thrown by {@link Caller}, no host could be reached.
 */
public final class NotSent extends CallFailure {

    public NotSent(String message) {
        super(message, null);
    }

    public NotSent(String message, Throwable cause) {
        super(message, cause);
    }
}
