// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.time.Duration;
import java.util.Optional;

/**
 * What travels with a call.
 *
 * @param deadline how long the caller still waits; work past it is dropped
 * @param caller name of the calling service
 * @param traceParent the trace that the call belongs to, in the form of W3C Trace Context
 * @param attempt 0 for the first try, 1 for the first retry
 */
public record CallContext(
        Optional<Duration> deadline,
        Criticality criticality,
        Optional<String> caller,
        Optional<String> traceParent,
        Optional<String> token,
        int attempt) {

    /** Longest name of a caller, in bytes of UTF-8. */
    public static final int CALLER_BYTES_MAX = 255;
    /** Longest trace parent, in bytes of UTF-8. */
    public static final int TRACE_PARENT_BYTES_MAX = 512;
    /** Longest token, in bytes of UTF-8. */
    public static final int TOKEN_BYTES_MAX = 4096;

    /** A call that says nothing of itself. */
    public static final CallContext NONE = new CallContext(
            Optional.empty(), Criticality.NORMAL, Optional.empty(), Optional.empty(), Optional.empty(), 0);

    /** @throws InvalidArgument naming the field that is out of its range */
    public CallContext {
        deadline.ifPresent(remaining -> {
            if (remaining.isNegative()) {
                throw new InvalidArgument("deadlineMillis", remaining.toMillis() + " is not within 0..");
            }
        });
        if (attempt < 0) {
            throw new InvalidArgument("attempt", attempt + " is not within 0..");
        }
        caller.ifPresent(text -> Text.checked("caller", text, CALLER_BYTES_MAX));
        traceParent.ifPresent(text -> Text.checked("traceParent", text, TRACE_PARENT_BYTES_MAX));
        token.ifPresent(text -> Text.checked("token", text, TOKEN_BYTES_MAX));
    }

    /** The same, for a caller that waits this long from now on. */
    public CallContext withDeadline(Duration remaining) {
        return new CallContext(Optional.of(remaining), criticality, caller, traceParent, token, attempt);
    }

    public CallContext withAttempt(int newAttempt) {
        return new CallContext(deadline, criticality, caller, traceParent, token, newAttempt);
    }
}
