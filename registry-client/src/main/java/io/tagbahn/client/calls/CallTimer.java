// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;
import java.util.concurrent.Executor;

/** What runs tasks later, and what asynchronous calls go on with; what it runs may not block. */
interface CallTimer extends Executor {

    /** A task that waits for its time. */
    interface Scheduled {
        /** Drops the task where it has not begun. */
        void cancel();
    }

    Scheduled after(Duration delay, Runnable task);
}
