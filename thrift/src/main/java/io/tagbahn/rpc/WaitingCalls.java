// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import org.jspecify.annotations.Nullable;

/** The calls of a connection that wait to be written, in order; one that gives up leaves from the middle at no cost. */
final class WaitingCalls {

    private @Nullable PendingCall<?> first;
    private @Nullable PendingCall<?> last;

    boolean isEmpty() {
        return first == null;
    }

    @Nullable
    PendingCall<?> first() {
        return first;
    }

    void add(PendingCall<?> call) {
        PendingCall<?> end = last;
        if (end == null) {
            first = call;
        } else {
            end.waitsBefore = call;
            call.waitsAfter = end;
        }
        last = call;
    }

    void remove(PendingCall<?> call) {
        PendingCall<?> ahead = call.waitsAfter;
        PendingCall<?> behind = call.waitsBefore;
        if (ahead == null) {
            first = behind;
        } else {
            ahead.waitsBefore = behind;
        }
        if (behind == null) {
            last = ahead;
        } else {
            behind.waitsAfter = ahead;
        }
        call.waitsAfter = null;
        call.waitsBefore = null;
    }
}
