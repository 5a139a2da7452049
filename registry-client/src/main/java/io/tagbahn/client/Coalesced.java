// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task that is asked for more often than it is done: at most one of it waits for a thread, and what the thread has no
 * room for is offered again a little later. So nothing is dropped, and nothing piles up.
 */
final class Coalesced {

    private static final Duration AGAIN = Duration.ofMillis(100);

    private final ExecutorService thread;
    private final Timer timer;
    private final Runnable task;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean ended;

    Coalesced(ExecutorService thread, Timer timer, Runnable task) {
        this.thread = thread;
        this.timer = timer;
        this.task = task;
    }

    /** Has it done once after this call. */
    void ask() {
        if (waiting.compareAndSet(false, true)) {
            offer();
        }
    }

    private void offer() {
        if (ended) {
            return;
        }
        try {
            thread.execute(() -> {
                waiting.set(false);
                if (!ended) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) {
            ended |= thread.isShutdown();
            offerAgain();
        }
    }

    private void offerAgain() {
        try {
            timer.after(AGAIN, this::offer);
        } catch (RejectedExecutionException e) {
            ended = true; // the client is closed
        }
    }

    /** Has nothing done any more. */
    void end() {
        ended = true;
    }
}
