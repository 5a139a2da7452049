// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import org.apache.thrift.TSerializable;
import org.jspecify.annotations.Nullable;

/**
 * A call that a server has begun, and its place among those with the same sequence id.
 *
 * <p>Lives on the event loop of its connection; only the result is put in from elsewhere.
 */
final class CallInFlight {

    final String method;
    final int sequenceId;
    final boolean oneway;

    /** When it was begun. */
    long begunNanos;

    /** Whether it was begun and had no answer at once. */
    boolean waits;

    /** The answer, once there is one; written before the call is handed to the event loop. */
    @Nullable
    TSerializable reply;

    /** The next call with the same sequence id: its answer comes after this one's. */
    @Nullable
    CallInFlight next;

    /** The last call with the same sequence id, kept by the first. */
    CallInFlight last;

    CallInFlight(String method, int sequenceId, boolean oneway) {
        this.method = method;
        this.sequenceId = sequenceId;
        this.oneway = oneway;
        last = this;
    }
}
