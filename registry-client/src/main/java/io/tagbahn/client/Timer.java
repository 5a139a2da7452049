// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;

/** One thread that runs tasks one after another, now or after a delay; state that it owns needs no locks. */
interface Timer {

    /** A task that waits for its time. */
    interface Scheduled {
        /** Drops the task where it has not begun. */
        void cancel();
    }

    /** @throws java.util.concurrent.RejectedExecutionException where the timer is closed */
    void execute(Runnable task);

    /** @throws java.util.concurrent.RejectedExecutionException where the timer is closed */
    Scheduled after(Duration delay, Runnable task);
}
