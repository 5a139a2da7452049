// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.Instance;
import java.time.Duration;

/** Something that a {@link Caller} decided. */
public sealed interface CallEvent {

    /** The hosts are others than before. */
    record HostsChanged(int hosts, int came, int went) implements CallEvent {}

    /** The registry names no host any more; those known are kept for a while. */
    record HostsKept(int hosts) implements CallEvent {}

    /** The circuit breaker of a host has changed: CLOSED, OPEN or HALF_OPEN. */
    record BreakerChanged(Instance host, String from, String to) implements CallEvent {}

    /** A host is left out for a while because it does worse than the others. */
    record Ejected(Instance host, Duration ejectedFor) implements CallEvent {}

    /** A host is in again. */
    record Returned(Instance host) implements CallEvent {}

    /** An attempt at this host failed, and the call is made again. */
    record Retried(Instance host, FailureKind kind, int attempt) implements CallEvent {}

    /** A call could have been made again, and was not, as the budget is used up. */
    record BudgetSpent(FailureKind kind) implements CallEvent {}

    /** A call was not let out. */
    record Rejected(CallRejected.Reason reason) implements CallEvent {}
}
