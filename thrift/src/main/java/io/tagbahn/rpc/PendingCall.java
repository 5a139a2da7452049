// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.jspecify.annotations.Nullable;

/** A call of a client that has not ended: the stage that its caller waits on, and its place in the deadline wheel. */
final class PendingCall<R extends TBase<?, ?>> extends CompletableFuture<R> {

    final String method;
    final TBase<?, ?> arguments;
    final Supplier<R> newResult;
    final long deadlineNanos;
    final ClientConnection connection;
    private final Runnable ended;

    boolean written;
    int sequenceId;

    /** Neighbours in the slot of the wheel; the slot is -1 where it is in none. */
    @Nullable
    PendingCall<?> before;

    @Nullable
    PendingCall<?> after;

    int slot = -1;

    /** Neighbours among the calls that wait to be written. */
    @Nullable
    PendingCall<?> waitsAfter;

    @Nullable
    PendingCall<?> waitsBefore;

    PendingCall(
            String method,
            TBase<?, ?> arguments,
            Supplier<R> newResult,
            long deadlineNanos,
            ClientConnection connection,
            Runnable ended) {
        this.method = method;
        this.arguments = arguments;
        this.newResult = newResult;
        this.deadlineNanos = deadlineNanos;
        this.connection = connection;
        this.ended = ended;
    }

    /** Gives the place of the call back, before its caller hears of its end. */
    void end() {
        ended.run();
    }
}
