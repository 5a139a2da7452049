// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.Optional;
import org.apache.thrift.TSerializable;

/**
 * What decides at the door which calls a server begins, before it reads what they ask for.
 *
 * <p>A call that is refused costs the server the reading of its name and the writing of an answer that lies ready.
 */
@FunctionalInterface
public interface CallGate {

    /** The door of one event loop; asked for once for each, on its thread. */
    Door door(LoopTimes times);

    /** A gate through which everything passes. */
    static CallGate open() {
        return times -> Door.OPEN;
    }

    /** The door of one event loop, used by its thread alone. */
    interface Door {

        /** Lets everything pass. */
        Door OPEN = (method, waitedNanos, nowNanos) -> Optional.empty();

        /**
         * The answer to a call that is refused; nothing where it may begin.
         *
         * @param method that the server has
         * @param waitedNanos how long the call may have waited until now, unread or unbegun
         * @param nowNanos by the ticker of the loops
         */
        Optional<? extends TSerializable> refusal(String method, long waitedNanos, long nowNanos);

        /** A call that was begun has no answer yet: it waits for something else than this loop. */
        default void waits(String method) {}

        /** A call that has waited has its answer, after so long. */
        default void answered(String method, long tookNanos) {}
    }
}
