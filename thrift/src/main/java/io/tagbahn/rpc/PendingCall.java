// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.jspecify.annotations.Nullable;

/** A call of a client that has not ended: the stage that its caller waits on, and its place in the deadline wheel. */
final class PendingCall<R extends TBase<?, ?>> extends CompletableFuture<R> {

    final String method;
    final TBase<?, ?> arguments;
    final Supplier<R> newResult;
    final long deadlineNanos;
    private final Consumer<PendingCall<?>> expiry;
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
            Consumer<PendingCall<?>> expiry,
            Runnable ended) {
        this.method = method;
        this.arguments = arguments;
        this.newResult = newResult;
        this.deadlineNanos = deadlineNanos;
        this.expiry = expiry;
        this.ended = ended;
    }

    /** Ends the call because its deadline has passed. */
    void expire() {
        expiry.accept(this);
    }

    /** Gives the place of the call back, before its caller hears of its end. */
    void end() {
        ended.run();
    }
}
