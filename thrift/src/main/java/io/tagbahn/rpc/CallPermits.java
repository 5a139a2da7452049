// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many calls may be in flight in a server, and the connections that wait for their turn.
 *
 * <p>A waiting connection is in the queue once at the most, so that the queue is bounded by the connections.
 */
final class CallPermits {

    private final int max;
    private final AtomicInteger taken = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    CallPermits(int max) {
        this.max = max;
    }

    boolean take() {
        while (true) {
            int now = taken.get();
            if (now >= max) {
                return false;
            }
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    void release() {
        taken.decrementAndGet();
        wake();
    }

    /** Runs the task, on any thread, when there may be a permit again. */
    void await(Runnable task) {
        waiting.add(task);
        // One may have come back before the task was in the queue.
        passOn();
    }

    /** Lets the next in the queue have a try, where there is still something to be had. */
    void passOn() {
        if (taken.get() < max) {
            wake();
        }
    }

    private void wake() {
        Runnable next = waiting.isEmpty() ? null : waiting.poll();
        if (next != null) {
            next.run();
        }
    }

    int taken() {
        return taken.get();
    }
}
