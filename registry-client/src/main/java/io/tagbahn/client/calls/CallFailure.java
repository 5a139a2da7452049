// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import org.jspecify.annotations.Nullable;

/**
 * A call that has no answer: one subtype for each decision that a caller can take. They are answers, not mistakes, and
 * carry no stack trace.
 */
public abstract sealed class CallFailure extends RuntimeException
        permits CallFailed, CallOutcomeUnknown, CallRejected, DeadlineExceeded, HostRejected, NoHosts, NotSent {

    CallFailure(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }
}
