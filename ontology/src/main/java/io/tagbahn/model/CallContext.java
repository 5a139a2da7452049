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

    /** A call that says nothing of itself. */
    public static final CallContext NONE = new CallContext(
            Optional.empty(), Criticality.NORMAL, Optional.empty(), Optional.empty(), Optional.empty(), 0);
}
