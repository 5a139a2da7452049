// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** An executor with room for some tasks, which it runs when it is told to. */
final class QueueingExecutor extends AbstractExecutorService {

    final Deque<Runnable> waiting = new ArrayDeque<>();
    int room;
    private boolean shutdown;

    QueueingExecutor(int room) {
        this.room = room;
    }

    @Override
    public void execute(Runnable task) {
        if (shutdown || waiting.size() >= room) {
            throw new RejectedExecutionException(shutdown ? "shut down" : "full");
        }
        waiting.add(task);
    }

    void runAll() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    @Override
    public void shutdown() {
        shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown && waiting.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }
}
