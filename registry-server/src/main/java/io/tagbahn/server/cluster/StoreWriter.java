// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.store.Now;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What changes the store: one write after the other, and ticks between them. */
public interface StoreWriter extends AutoCloseable {

    /** What is done between writes. */
    @FunctionalInterface
    interface Tick {
        /** @return whether there is more to do at once */
        boolean tick(Now now);
    }

    void start();

    /**
     * Queues a write.
     *
     * @return fails with {@link io.tagbahn.model.Overloaded} where the queue is full or the deadline passes before the
     *     write's turn, and with {@link io.tagbahn.model.NotReady} once it is closed; nothing is changed then
     */
    <T> CompletionStage<T> submit(long deadlineNanos, Function<Now, T> work);

    @Override
    void close();
}
