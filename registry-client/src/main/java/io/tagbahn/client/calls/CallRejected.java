// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/** The caller's own protection did not let the call out: no host has it, and at once a repetition would fare alike. */
public final class CallRejected extends CallFailure {

    /** What did not let it out. */
    public enum Reason {
        /** As many calls as may be are under way, and as many as may wait are waiting or waited for too long. */
        BULKHEAD,
        /** Every host that is left has failed too often lately, or has as many calls under way as it may. */
        BREAKER,
        /** The hosts reject so many calls that this one would most likely be rejected as well. */
        THROTTLE,
        /** The caller is closed. */
        CLOSED
    }

    private final Reason reason;

    CallRejected(Reason reason, String message) {
        super(message, null);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
