// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.time.Duration;

/** What is done later. Tasks are short; they run one at a time. */
public interface Timer {

    /** Has a task run after a delay. */
    Scheduled after(Duration delay, Runnable task);

    /** A task that waits for its time. */
    interface Scheduled {
        /** Has no effect on a task that has begun. */
        void cancel();
    }
}
